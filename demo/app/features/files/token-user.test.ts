import { expect, it } from 'vitest';
import { userIdOf } from './token-user.ts';

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

it.each([
  [`a.${encode({ sub: '5f', name: 'Žluťoučký ?>' })}.c`, '5f'],
  [`a.${encode({ sub: 7 })}.c`, undefined],
  [`a.${encode({})}.c`, undefined],
  [`a.${encode(null)}.c`, undefined],
  ['a.%.c', undefined],
  ['abc', undefined],
  ['', undefined],
])('userIdOf(%j) returns %j', (token, userId) => {
  expect(userIdOf(token)).toBe(userId);
});
