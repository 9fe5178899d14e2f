import { expect, it } from 'vitest';
import { parseGoDuration } from './go-duration.ts';

it.each([
  ['0', 0],
  ['0s', 0],
  ['24h', 86_400_000],
  ['1h30m', 5_400_000],
  ['1.5h', 5_400_000],
  ['.5s', 500],
  ['1.s', 1000],
  ['+5m', 300_000],
  ['-5m', -300_000],
  ['2h45m30.5s', 9_930_500],
  ['1500ms', 1500],
  ['1000us', 1],
  ['1000µs', 1],
  ['1000μs', 1],
  ['1000000ns', 1],
  ['2562047h', 2_562_047 * 3_600_000],
])('parses %j', (text, expected) => {
  expect(parseGoDuration(text)).toBeCloseTo(expected, 6);
});

it.each([
  '',
  'none',
  'h',
  '1',
  '1d',
  '1w',
  '1 h',
  '1h ',
  '1H',
  '.h',
  '1..5h',
  '1h-5m',
  '--1h',
  '1e3s',
  'ns',
  '∞',
])('rejects %j', (text) => {
  expect(parseGoDuration(text)).toBeUndefined();
});

it.each(['2562048h', '9999999999999999999ns', `${'1'.repeat(70)}h`])(
  'rejects a duration that overflows in Go: %s',
  (text) => {
    expect(parseGoDuration(text)).toBeUndefined();
  },
);
