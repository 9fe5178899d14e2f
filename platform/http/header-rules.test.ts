import { describe, expect, it } from 'vitest';
import { headerRejection } from './header-rules.ts';

const long = 'a,'.repeat(5000);

it.each([
  ['accepts ordinary headers', ['Host', 'a', 'Accept', '*/*', 'Cookie', 'a=b'], undefined],
  ['rejects several Host headers', ['Host', 'a', 'hOST', 'a'], 'several_hosts'],
  ['ignores other names of four letters', ['Host', 'a', 'Date', 'b'], undefined],
  ['rejects a header that is too long', ['Host', 'a', 'Accept', long], 'headers_too_large'],
  ['accepts a value at the limit', ['Prefer', 'a'.repeat(8192)], undefined],
  ['accepts long tokens', ['Authorization', long, 'apikey', long], undefined],
  ['accepts long cookies', ['cookie', long], undefined],
])('%s', (_, headers, expected) => {
  expect(headerRejection(headers)).toBe(expected);
});

describe('with a limit of the route', () => {
  it.each([
    ['accepts values at the limit', ['Host', 'a', 'Accept', 'a'.repeat(100)], 100, undefined],
    ['rejects longer values', ['Host', 'a', 'Accept', 'a'.repeat(101)], 100, 'headers_too_large'],
    ['rejects tokens, too', ['Authorization', 'a'.repeat(101)], 100, 'headers_too_large'],
    ['accepts values above the default limit', ['Accept', long], 20_000, undefined],
    ['does not limit cookies', ['cookie', long], 100, undefined],
  ])('%s', (_, headers, maxBytes, expected) => {
    expect(headerRejection(headers, maxBytes)).toBe(expected);
  });
});
