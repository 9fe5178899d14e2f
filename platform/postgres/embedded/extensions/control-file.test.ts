import { describe, expect, it } from 'vitest';
import { parseControlFile, withTrust } from './control-file.ts';

describe('parseControlFile', () => {
  it('reads names and values as PostgreSQL does', () => {
    const text = [
      '# vector extension',
      "comment = 'it''s a \\'type\\''  # of vectors",
      'default_version = 0.8.0',
      '',
      "  module_pathname='$libdir/vector'",
      'RELOCATABLE true',
      "requires = 'a, b'\r",
    ].join('\n');
    expect(Object.fromEntries(parseControlFile(text, 'x.control'))).toEqual({
      comment: "it's a 'type'",
      default_version: '0.8.0',
      module_pathname: '$libdir/vector',
      relocatable: 'true',
      requires: 'a, b',
    });
  });

  it.each([
    ['a line that is no parameter', "comment = 'a'\n= 1", /^x\.control, line 2: syntax error/],
    ['an open quote', "comment = 'a", /^x\.control, line 1: syntax error/],
    [
      'an unknown parameter',
      'default_versoin = 1',
      /^x\.control, line 1: unknown parameter "default_versoin"; .*default_version/,
    ],
    [
      'another folder of scripts',
      "directory = 'x'",
      /^x\.control: the parameter "directory" is not supported/,
    ],
    [
      'an absolute library path',
      "module_pathname = '/tmp/a'",
      /^x\.control: module_pathname is "\/tmp\/a".*"\$libdir\/a"/,
    ],
    [
      'a library path that leaves the folder',
      "module_pathname = '$libdir/../a'",
      /^x\.control: module_pathname is/,
    ],
  ])('rejects %s', (_, text, message) => {
    expect(() => parseControlFile(text, 'x.control')).toThrow(message);
  });
});

describe('withTrust', () => {
  it.each([
    ['a missing', "comment = 'a'\n", "comment = 'a'\ntrusted = true\n"],
    ['a present', "trusted = false\ncomment = 'a'", "comment = 'a'\ntrusted = true\n"],
  ])('sets %s parameter', (_, text, expected) => {
    expect(withTrust(text)).toBe(expected);
  });
});
