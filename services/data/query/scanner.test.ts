/** Names, quoted texts and types' names. */
import { describe, expect, it } from 'vitest';
import { Usage } from './limits.ts';
import { END, EXPECTED_NAME, Scanner } from './scanner.ts';
import { refusalOf } from './testing/refusal.ts';

const scan = (text: string) => new Scanner('text', text, new Usage());

describe('names', () => {
  it.each<[text: string, name: string, end: number]>([
    ['id', 'id', 2],
    ['ID', 'ID', 2],
    ['_', '_', 1],
    ['$', '$', 1],
    ['123', '123', 3],
    ['a_b$1', 'a_b$1', 5],
    ['with some spaces', 'with some spaces', 16],
    [' outer blanks ', 'outer blanks', 14],
    ['with-dashes-in', 'with-dashes-in', 14],
    ['a - b', 'a - b', 5],
    ['größe', 'größe', 5],
    ['名前', '名前', 2],
    ['هویت', 'هویت', 4],
    ['𝒳y', '𝒳y', 3],
    ['a->b', 'a', 1],
    ['a-b->c', 'a-b', 3],
    ['a.b', 'a', 1],
    ['a,b', 'a', 1],
    ['a:b', 'a', 1],
    ['a(b', 'a', 1],
    ['a)', 'a', 1],
    ['a!b', 'a', 1],
    ['a"b', 'a', 1],
    ['a*', 'a', 1],
    ['a😀', 'a', 1],
    ['a\tb', 'a', 1],
    ['"a"', 'a', 3],
    ['"a.b,c:d(e)"', 'a.b,c:d(e)', 12],
    ['" a "', ' a ', 5],
    ['"a""b"', 'a', 3],
    ['"a\\"b"', 'a"b', 6],
    ['"a\\\\"', 'a\\', 5],
    ['"\\a\\n"', 'an', 6],
    ['"😀"', '😀', 4],
    ['"\\😀"', '😀', 5],
  ])('are scanned from %j as %j', (text, name, end) => {
    const scanner = scan(text);
    expect(scanner.name()).toBe(name);
    expect(scanner.position).toBe(end);
    expect(scanner.isQuoted).toBe(text.startsWith('"'));
  });

  it.each<[text: string, refusal: string]>([
    ['', `1: unexpected end of input expecting ${EXPECTED_NAME}`],
    [':', `1: unexpected ":" expecting ${EXPECTED_NAME}`],
    ['*', `1: unexpected "*" expecting ${EXPECTED_NAME}`],
    ['😀', `1: unexpected "😀" expecting ${EXPECTED_NAME}`],
    ['-a', `1: unexpected "-" expecting ${EXPECTED_NAME}`],
    ['->a', `1: unexpected "-" expecting ${EXPECTED_NAME}`],
    ['   ', `4: unexpected end of input expecting ${EXPECTED_NAME}`],
    ['  .', `3: unexpected "." expecting ${EXPECTED_NAME}`],
    ['a-', '3: unexpected end of input expecting letter, digit or "_"'],
    ['a--b', '3: unexpected "-" expecting letter, digit or "_"'],
    ['𝒳-.', '3: unexpected "." expecting letter, digit or "_"'],
    ['""', `3: unexpected end of input expecting ${EXPECTED_NAME}`],
    ['"a', '3: unexpected end of input expecting "\\"" (the end of a quoted name)'],
    ['"', '2: unexpected end of input expecting "\\"" (the end of a quoted name)'],
    ['"a\\"', '5: unexpected end of input expecting "\\"" (the end of a quoted name)'],
    ['"a\\', '4: unexpected end of input expecting "\\"" (the end of a quoted name)'],
  ])('are rejected: %j', (text, refusal) => {
    expect(refusalOf(() => scan(text).name())).toBe(refusal);
  });

  it('are described in errors by the given term', () => {
    expect(refusalOf(() => scan('.').name('relation'))).toBe('1: unexpected "." expecting relation');
  });
});

describe('names of types', () => {
  it.each<[text: string, type: string]>([
    ['text', 'text'],
    ['double precision', 'double precision'],
    [' int4 ', 'int4'],
    ['my_type$', 'my_type$'],
    ['größe', 'größe'],
    ['int[]', 'int'],
    ['int)', 'int'],
    ['int;drop', 'int'],
    ['a-b', 'a'],
    ['a"b', 'a'],
    ["a'b", 'a'],
    ['a.b', 'a'],
    ['numeric(1', 'numeric'],
    ['a\u00a0b', 'a'],
  ])('are scanned from %j as %j', (text, type) => {
    expect(scan(text).type()).toBe(type);
    expect(scan(text).typeIfAny()).toBe(type);
  });

  it.each(['', ' ', '"text"', '-', '.', '\u00a0', '\u2028'])('are rejected: %j', (text) => {
    expect(refusalOf(() => scan(text).type())).toContain('expecting letter or digit');
    expect(scan(text).typeIfAny()).toBeUndefined();
  });
});

describe('quoted texts', () => {
  it.each([
    ['""', ''],
    ['"a"', 'a'],
    ['"\\\\\\""', '\\"'],
    ['"a,b)"c', 'a,b)'],
  ])('are scanned from %j as %j', (text, value) => {
    expect(scan(text).quoted()).toBe(value);
  });

  it.each(['"', '"a', '"\\"', '"\\'])('are not consumed if unterminated: %j', (text) => {
    const scanner = scan(text);
    expect(scanner.quoted()).toBeUndefined();
    expect(scanner.position).toBe(0);
  });
});

describe('the scanner', () => {
  it('looks ahead, but not beyond the end', () => {
    const scanner = scan('ab');
    expect([scanner.code(), scanner.code(1), scanner.code(2), scanner.code(9)]).toEqual([97, 98, END, END]);
  });

  it('consumes only matching text', () => {
    const scanner = scan('a.bc');
    expect([scanner.accept(46), scanner.acceptText('b'), scanner.position]).toEqual([false, false, 0]);
    expect([scanner.word(), scanner.accept(46), scanner.acceptText('bcd'), scanner.acceptText('bc')]).toEqual(
      ['a', true, false, true],
    );
  });

  it.each([
    ['abC', 'ab'],
    ['ab_', 'ab'],
    ['A', ''],
    ['{', ''],
    ['`', ''],
    ['', ''],
  ])('reads from %j the word %j', (text, word) => {
    expect(scan(text).word()).toBe(word);
  });

  it.each([
    ['aB_c.', 'aB_c'],
    ['Zz[', 'Zz'],
    ['@A', ''],
    ['`', ''],
    ['{', ''],
    ['ſ', ''],
    ['1', ''],
  ])('reads from %j the letters %j', (text, letters) => {
    expect(scan(text).letters()).toBe(letters);
  });

  it('skips only spaces and tabs as blanks', () => {
    const scanner = scan(' \t \n');
    scanner.blanks();
    expect(scanner.position).toBe(3);
  });

  it('accepts only blanks before the end', () => {
    const scanner = scan('  ');
    scanner.end('end of input');
    expect(refusalOf(() => scan(' x').end('end of input'))).toBe("2: unexpected 'x' expecting end of input");
  });

  it('reports positions in characters, including its offset', () => {
    const scanner = new Scanner('text', '𝒳𝒳.', new Usage(), 2);
    scanner.name();
    expect(refusalOf(() => scanner.fail('x'))).toBe('5: unexpected "." expecting x');
    expect(refusalOf(() => scanner.refuse('too much'))).toBe('5: too much');
    expect(refusalOf(() => scanner.expect(58))).toBe('5: unexpected "." expecting ":"');
  });
});
