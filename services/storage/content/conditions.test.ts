import { describe, expect, it } from 'vitest';
import { effectiveRange, isNotModified } from './conditions.ts';

const MODIFIED = 'Sun, 22 Nov 2026 12:00:00 GMT';
const content = { eTag: '"abc"', lastModified: new Date('2026-11-22T12:00:00.700Z') };
const unknown = { eTag: undefined, lastModified: undefined };

describe('isNotModified', () => {
  it.each([
    ['a missing condition', {}, false],
    ['the same tag', { 'if-none-match': '"abc"' }, true],
    ['a weak tag of the same value', { 'if-none-match': 'W/"abc"' }, true],
    ['one of several tags', { 'if-none-match': '"x", "abc"' }, true],
    ['any tag', { 'if-none-match': '*' }, true],
    ['another tag', { 'if-none-match': '"abd"' }, false],
    ['a tag without quotes', { 'if-none-match': 'abc' }, false],
    ['the time of the last change', { 'if-modified-since': MODIFIED }, true],
    ['a later time', { 'if-modified-since': 'Mon, 23 Nov 2026 12:00:00 GMT' }, true],
    ['an earlier time', { 'if-modified-since': 'Sun, 22 Nov 2026 11:59:59 GMT' }, false],
    ['an invalid time', { 'if-modified-since': 'yesterday' }, false],
    ['another tag and a later time', { 'if-none-match': '"x"', 'if-modified-since': MODIFIED }, false],
    [
      'the same tag and an earlier time',
      { 'if-none-match': '"abc"', 'if-modified-since': 'Sun, 22 Nov 2020 11:59:59 GMT' },
      true,
    ],
  ])('returns for %s: $2', (_, headers, expected) => {
    expect(isNotModified(headers, content)).toBe(expected);
  });

  it.each([[{ 'if-none-match': '"abc"' }], [{ 'if-modified-since': MODIFIED }]])(
    'is false without validators of the content: %j',
    (headers) => {
      expect(isNotModified(headers, unknown)).toBe(false);
    },
  );
});

describe('effectiveRange', () => {
  it.each([
    ['a missing range', {}, undefined],
    ['a range without a condition', { range: 'bytes=1-' }, 'bytes=1-'],
    ['a range and the same tag', { range: 'bytes=1-', 'if-range': '"abc"' }, 'bytes=1-'],
    ['a range and another tag', { range: 'bytes=1-', 'if-range': '"x"' }, undefined],
    ['a range and a weak tag', { range: 'bytes=1-', 'if-range': 'W/"abc"' }, undefined],
    ['a range and the same time', { range: 'bytes=1-', 'if-range': MODIFIED }, 'bytes=1-'],
    [
      'a range and another time',
      { range: 'bytes=1-', 'if-range': 'Mon, 23 Nov 2026 12:00:00 GMT' },
      undefined,
    ],
    ['a range and an invalid condition', { range: 'bytes=1-', 'if-range': 'abc' }, undefined],
    ['a condition without a range', { 'if-range': '"abc"' }, undefined],
  ])('returns for %s: $2', (_, headers, expected) => {
    expect(effectiveRange(headers, content)).toBe(expected);
  });

  it('is the whole content without validators', () => {
    expect(effectiveRange({ range: 'bytes=1-', 'if-range': MODIFIED }, unknown)).toBeUndefined();
  });
});
