/** JSON paths. */
import { describe, expect, it } from 'vitest';
import { isInteger, parseField } from './field.ts';
import { MAX_JSON_STEPS, Usage } from './limits.ts';
import { Scanner } from './scanner.ts';
import { refusalOf } from './testing/refusal.ts';

/** Names, keys with quotes around and indexes without, as JSON. */
function parse(text: string): string {
  const scanner = new Scanner('field', text, new Usage());
  const { name, path } = parseField(scanner);
  const steps = path.map(
    ({ arrow, operand }) => arrow + (operand.kind === 'key' ? JSON.stringify(operand.key) : operand.index),
  );
  return name + steps.join('') + (scanner.code() === -1 ? '' : ` | ${text.slice(scanner.position)}`);
}

const EXPECTED = '"-", digit or any non reserved character different from: .,>()';

describe('fields', () => {
  it.each<[text: string, parsed: string]>([
    ['a', 'a'],
    [' a ', 'a'],
    ['"a b" ', 'a b'],
    ['a->b', 'a->"b"'],
    ['a->>b', 'a->>"b"'],
    ['a->b->>c->d', 'a->"b"->>"c"->"d"'],
    ['a ->b', 'a->"b"'],
    ['a-> b ->c', 'a->"b"->"c"'],
    ['a-b->c', 'a-b->"c"'],
    ['"a"->b', 'a->"b"'],
    ['"a->b"->c', 'a->b->"c"'],
    ['a->0', 'a->0'],
    ['a->>12', 'a->>12'],
    ['a->-1', 'a->-1'],
    ['a->-0', 'a->0'],
    ['a->007', 'a->7'],
    ['a-> 3 ', 'a->3'],
    ['a->2147483647', 'a->2147483647'],
    ['a->-2147483648', 'a->-2147483648'],
    ['a->0->b', 'a->0->"b"'],
    ['a->-1->>b', 'a->-1->>"b"'],
    ['a->0,b', 'a->0 | ,b'],
    ['a->0.desc', 'a->0 | .desc'],
    ['a->0::int', 'a->0 | ::int'],
    ['a->0)', 'a->0 | )'],
    ['a->b)', 'a->"b" | )'],
    ['a->b.desc', 'a->"b" | .desc'],
    ['a->b::int', 'a->"b" | ::int'],
    ['a->b(c', 'a->"b" | (c'],
    ['a->1a', 'a->"1a"'],
    ['a->78xy', 'a->"78xy"'],
    ['a->1-2', 'a->"1-2"'],
    ['a->1 2', 'a->"1 2"'],
    ['a->٣', 'a->"٣"'],
    ['a->b-c', 'a->"b-c"'],
    ['a->b c', 'a->"b c"'],
    ['a->!@#$%^&*_a', 'a->"!@#$%^&*_a"'],
    ['a->b"c', 'a->"b\\"c"'],
    ['a->{b}', 'a->"{b}"'],
    ['a->😀', 'a->"😀"'],
    ['a->"0"', 'a->"0"'],
    ['a->"-1"', 'a->"-1"'],
    ['a->""', 'a->""'],
    ['a->"b.c,d)"', 'a->"b.c,d)"'],
    ['a->" b "->c', 'a->" b "->"c"'],
    ['a->"b" ->c', 'a->"b"->"c"'],
    ['a->"b"c', 'a->"b" | c'],
    ['a->"b\\"c"', 'a->"b\\"c"'],
    ['a->b=c', 'a->"b=c"'],
  ])('are parsed: %j', (text, parsed) => {
    expect(parse(text)).toBe(parsed);
  });

  it.each<[text: string, refusal: string]>([
    ['a->', `4: unexpected end of input expecting ${EXPECTED}`],
    ['a->>', `5: unexpected end of input expecting ${EXPECTED}`],
    ['a->(b', `4: unexpected "(" expecting ${EXPECTED}`],
    ['a->.b', `4: unexpected "." expecting ${EXPECTED}`],
    ['a->,b', `4: unexpected "," expecting ${EXPECTED}`],
    ['a->)', `4: unexpected ")" expecting ${EXPECTED}`],
    ['a->:b', `4: unexpected ":" expecting ${EXPECTED}`],
    ['a->>>b', `5: unexpected ">" expecting ${EXPECTED}`],
    ['a->  ', `4: unexpected " " expecting ${EXPECTED}`],
    ['a->b-', `6: unexpected end of input expecting ${EXPECTED}`],
    ['a->b--c', `6: unexpected "-" expecting ${EXPECTED}`],
    ['a->b-.c', `6: unexpected "." expecting ${EXPECTED}`],
    ['a->-', '5: unexpected end of input expecting digit'],
    ['a->>--34', '6: unexpected "-" expecting digit'],
    ['a->>-xy-4', '6: unexpected "x" expecting digit'],
    ['a->->b', '5: unexpected ">" expecting digit'],
    ['a->-78xy', '7: unexpected "x" expecting digit, "->", "::", ".", "," or end of input'],
    ['a->-1-2', '6: unexpected "-" expecting digit, "->", "::", ".", "," or end of input'],
    ['a->2147483648', '4: index out of range: from -2147483648 to 2147483647'],
    ['a->-2147483649', '4: index out of range: from -2147483648 to 2147483647'],
    [`a->${'9'.repeat(400)}`, '4: index out of range: from -2147483648 to 2147483647'],
    ['a->"b', '6: unexpected end of input expecting "\\"" (the end of a quoted key)'],
  ])('are rejected: %j', (text, refusal) => {
    expect(refusalOf(() => parse(text))).toBe(refusal);
  });

  it('are rejected with more arrows than allowed', () => {
    expect(parse(`a${'->b'.repeat(MAX_JSON_STEPS)}`)).toContain('->');
    expect(refusalOf(() => parse(`a${'->b'.repeat(MAX_JSON_STEPS + 1)}`))).toContain('at most 32 arrows');
  });
});

it.each([
  ['0', true],
  ['12', true],
  ['-12', true],
  ['', false],
  ['-', false],
  ['--1', false],
  ['1-', false],
  ['1.0', false],
  ['1e3', false],
  ['0x1', false],
  ['٣', false],
])('%j is a whole number: %s', (text, is) => {
  expect(isInteger(text)).toBe(is);
});
