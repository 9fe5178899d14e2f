import { expect, it } from 'vitest';
import { formatSize } from './size.ts';

it.each([
  [0, 'en', '0 bytes'],
  [1, 'en', '1 byte'],
  [999, 'en', '999 bytes'],
  [999, 'de', '999 Byte'],
  [1000, 'en', '1 kB'],
  [1234, 'de', '1,2 kB'],
  [999_499, 'en', '999 kB'],
  [999_999, 'en', '1 MB'],
  [52_428_800, 'en', '52.4 MB'],
  [5e9, 'en', '5 GB'],
])('formats %i in %s as %s', (bytes, language, text) => {
  expect(formatSize(bytes, language)).toBe(text);
});
