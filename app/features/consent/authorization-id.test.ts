import { expect, it } from 'vitest';
import { readAuthorizationId } from './authorization-id.ts';

it.each([
  ['authorization_id=Ab-3_x', 'Ab-3_x'],
  ['authorization_id=', undefined],
  ['', undefined],
  ['authorization_id=..', undefined],
  ['authorization_id=a%2F..%2Fb', undefined],
  ['authorization_id=a%3Fb', undefined],
  ['authorization_id=a%0A', undefined],
  [`authorization_id=${'a'.repeat(128)}`, 'a'.repeat(128)],
  [`authorization_id=${'a'.repeat(129)}`, undefined],
])('parses %s', (search, id) => {
  expect(readAuthorizationId(new URLSearchParams(search))).toBe(id);
});
