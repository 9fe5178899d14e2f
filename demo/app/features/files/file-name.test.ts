import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  folderOf,
  freeNumber,
  isSegment,
  isTooDeep,
  joinPath,
  MAX_SEGMENT_BYTES,
  normalizeName,
  numberedName,
  parseFolder,
  parsePath,
  segmentOf,
  toName,
  toSegment,
} from './file-name.ts';

describe('a segment', () => {
  it.each([
    ['plan.pdf', 'plan.pdf'],
    ['my plan (2).pdf', 'my plan (2).pdf'],
    ['Übersicht.txt', '=C3=9Cbersicht.txt'],
    ['a/b=c?d#e%f', 'a=2Fb=3Dc=3Fd=23e=25f'],
    ['.emptyFolderPlaceholder', '=2EemptyFolderPlaceholder'],
    ['..', '=2E.'],
    ['😀', '=F0=9F=98=80'],
  ])('encodes %s as %s and decodes it again', (name, segment) => {
    expect(toSegment(name)).toBe(segment);
    expect(toName(segment)).toBe(name);
    expect(isSegment(segment)).toBe(true);
  });

  it('keeps every name or its beginning', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }), (text) => {
        const name = normalizeName(text);
        fc.pre(name !== '');
        const segment = toSegment(name);
        expect(isSegment(segment)).toBe(true);
        if (!segment.includes('=E2=80=A6')) expect(toName(segment)).toBe(name);
      }),
    );
  });

  it('has a maximum length and keeps the extension', () => {
    const segment = toSegment(`${'ä'.repeat(300)}.jpeg`);
    expect(segment.length).toBeLessThanOrEqual(MAX_SEGMENT_BYTES);
    expect(toName(segment)).toMatch(/^ä+…\.jpeg$/);
  });

  it('of another application is decoded as its own name', () => {
    expect(toName('50=ZZ')).toBe('50=ZZ');
    expect(toName('=FF')).toBe('=FF');
  });
});

describe('an alternative name', () => {
  it('has a number before the extension', () => {
    expect(numberedName('plan.pdf', 1)).toBe('plan.pdf');
    expect(numberedName('plan.pdf', 2)).toBe('plan (2).pdf');
    expect(numberedName('.env', 3)).toBe('.env (3)');
  });

  it.each([
    ['plan.pdf', [], 1],
    ['plan.pdf', ['PLAN.pdf'], 2],
    ['plan.pdf', ['plan.pdf', 'plan (2).pdf'], 3],
  ])('of %s with %j taken has the number %i', (name, taken, number) => {
    expect(freeNumber(name, taken)).toBe(number);
  });
});

it.each([
  ['', ''],
  ['a/b c', 'a/b c'],
  ['../x', undefined],
  ['a//b', undefined],
  ['a/', undefined],
  ['ü', undefined],
  ['a/'.repeat(11).slice(0, -1), undefined],
])('parses the folder %j as %j', (text, folder) => {
  expect(parseFolder(text)).toBe(folder);
});

it('accepts entries of the deepest folder and rejects deeper folders', () => {
  const deepest = 'a/'.repeat(10).slice(0, -1);
  const inside = joinPath(deepest, 'plan.pdf');
  expect(parseFolder(inside)).toBeUndefined();
  expect(parsePath(inside)).toBe(inside);
  expect(parsePath(joinPath(inside, 'x'))).toBeUndefined();
  expect(parsePath('')).toBeUndefined();
  expect([isTooDeep(deepest), isTooDeep(inside)]).toEqual([false, true]);
});

it('joins and splits paths', () => {
  expect(joinPath('', 'a')).toBe('a');
  expect(joinPath('a/b', 'c')).toBe('a/b/c');
  expect(folderOf('a/b/c')).toBe('a/b');
  expect(folderOf('c')).toBe('');
  expect(segmentOf('a/b/c')).toBe('c');
});

it('normalizes a name', () => {
  expect(normalizeName('  a\n\u202Eb  ')).toBe('a b');
  expect(normalizeName('u\u0308')).toBe('ü');
});
