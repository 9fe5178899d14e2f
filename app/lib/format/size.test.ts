import { describe, expect, it } from 'vitest';
import { formatRate, formatSize } from './size.ts';

describe('formatSize', () => {
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
});

describe('formatRate', () => {
  it.each([
    [840, 'en', '840 byte/s'],
    [1234, 'de', '1,2 kB/s'],
    [52_428_800, 'en', '52.4 MB/s'],
  ])('formats %i bytes per second in %s as %s', (bytes, language, text) => {
    expect(formatRate(bytes, language)).toBe(text);
  });
});
