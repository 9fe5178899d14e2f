import { describe, expect, it } from 'vitest';
import { isEqual, metadataPatch, parseMetadata } from './metadata.ts';

describe('parseMetadata', () => {
  it.each([
    ['{"a":{"b":[1]}}', { value: { a: { b: [1] } } }],
    ['{}', { value: {} }],
    ['[]', { problem: 'object', detail: '' }],
    ['null', { problem: 'object', detail: '' }],
    ['1', { problem: 'object', detail: '' }],
    ['{a:1}', { problem: 'syntax', detail: expect.stringContaining('JSON') }],
    ['', { problem: 'syntax', detail: expect.any(String) }],
  ])('parses %j', (text, expected) => {
    expect(parseMetadata(text)).toEqual(expected);
  });
});

describe('metadataPatch', () => {
  it.each([
    [{}, {}, {}],
    [{ a: 1 }, { a: 1 }, {}],
    [{ a: 1 }, { a: 2 }, { a: 2 }],
    [{ a: 1 }, {}, { a: null }],
    [{}, { a: { b: 1 } }, { a: { b: 1 } }],
    [{ a: { b: 1, c: 2 } }, { a: { c: 2, b: 1 } }, {}],
    [{ a: { b: 1 } }, { a: { b: 1, c: 2 } }, { a: { b: 1, c: 2 } }],
  ])('changes %j to %j with %j', (before, after, patch) => {
    expect(metadataPatch(before, after)).toEqual(patch);
  });
});

describe('isEqual', () => {
  it.each([
    [[1, 2], [2, 1], false],
    [{ a: { x: 1, y: 2 } }, { a: { y: 2, x: 1 } }, true],
    [undefined, undefined, true],
    [null, undefined, false],
  ])('compares %j and %j: %s', (one, other, expected) => {
    expect(isEqual(one, other)).toBe(expected);
  });
});
