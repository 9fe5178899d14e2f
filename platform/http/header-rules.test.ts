import { expect, it } from 'vitest';
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
