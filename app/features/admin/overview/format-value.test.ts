import { expect, it } from 'vitest';
import type { Unit } from './charts.ts';
import { formatValue } from './format-value.ts';

it.each<[number, Unit, string]>([
  [0.123456, 'perSecond', '0.123/s'],
  [1234.5, 'perSecond', '1,235/s'],
  [12.345, 'ms', '12.3 ms'],
  [0.256, 'share', '26%'],
  [12_345_678, 'bytes', '12.3 MB'],
  [7, 'count', '7'],
])('formatValue writes %d in the unit %s as %s', (value, unit, expected) => {
  expect(formatValue(value, unit, 'en')).toBe(expected);
});
