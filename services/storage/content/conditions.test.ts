import { describe, expect, it } from 'vitest';
import { effectiveRange, isNotModified } from './conditions.ts';

const MODIFIED = 'Sun, 22 Nov 2026 12:00:00 GMT';
const content = { eTag: '"abc"', lastModified: new Date('2026-11-22T12:00:00.700Z') };
const unknown = { eTag: undefined, lastModified: undefined };

describe('isNotModified', () => {
  it.each([
    ['no condition', {}, false],
    ['the same tag', { 'if-none-match': '"abc"' }, true],
    ['the same tag, weak', { 'if-none-match': 'W/"abc"' }, true],
    ['one of several tags', { 'if-none-match': '"x", "abc"' }, true],
    ['any tag', { 'if-none-match': '*' }, true],
    ['another tag', { 'if-none-match': '"abd"' }, false],
    ['a tag without quotes', { 'if-none-match': 'abc' }, false],
    ['the time of the last change', { 'if-modified-since': MODIFIED }, true],
    ['a later time', { 'if-modified-since': 'Mon, 23 Nov 2026 12:00:00 GMT' }, true],
    ['an earlier time', { 'if-modified-since': 'Sun, 22 Nov 2026 11:59:59 GMT' }, false],
    ['no time', { 'if-modified-since': 'yesterday' }, false],
    ['another tag and a later time', { 'if-none-match': '"x"', 'if-modified-since': MODIFIED }, false],
    [
      'the same tag and an earlier time',
      { 'if-none-match': '"abc"', 'if-modified-since': 'Sun, 22 Nov 2020 11:59:59 GMT' },
      true,
    ],
  ])('%s', (_, headers, expected) => {
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
    ['no range', {}, undefined],
    ['a range', { range: 'bytes=1-' }, 'bytes=1-'],
    ['the same tag', { range: 'bytes=1-', 'if-range': '"abc"' }, 'bytes=1-'],
    ['another tag', { range: 'bytes=1-', 'if-range': '"x"' }, undefined],
    ['a weak tag, which says too little', { range: 'bytes=1-', 'if-range': 'W/"abc"' }, undefined],
    ['the same time', { range: 'bytes=1-', 'if-range': MODIFIED }, 'bytes=1-'],
    ['another time', { range: 'bytes=1-', 'if-range': 'Mon, 23 Nov 2026 12:00:00 GMT' }, undefined],
    ['neither tag nor time', { range: 'bytes=1-', 'if-range': 'abc' }, undefined],
    ['a condition alone', { 'if-range': '"abc"' }, undefined],
  ])('%s', (_, headers, expected) => {
    expect(effectiveRange(headers, content)).toBe(expected);
  });

  it('is the whole content without validators', () => {
    expect(effectiveRange({ range: 'bytes=1-', 'if-range': MODIFIED }, unknown)).toBeUndefined();
  });
});
