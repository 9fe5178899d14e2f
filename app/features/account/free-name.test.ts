import { expect, it } from 'vitest';
import { freeName } from './free-name.ts';

it.each([
  [[], 'Key'],
  [['Key'], 'Key 2'],
  [['Key', 'Key 2'], 'Key 3'],
  [['Key 2'], 'Key'],
  [['Other'], 'Key'],
])('returns for the taken names %j: %s', (names: string[], name) => {
  expect(
    freeName(
      'Key',
      names.map((existing) => ({ name: existing })),
    ),
  ).toBe(name);
});
