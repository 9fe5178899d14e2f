/** Parameters of raw query strings. */
import { describe, expect, it } from 'vitest';
import { forEachParameter } from './form.ts';
import { MAX_QUERY_CHARACTERS } from './limits.ts';
import { refusalOf } from './testing/refusal.ts';

function decode(raw: string): [key: string, value: string][] {
  const pairs: [string, string][] = [];
  forEachParameter(raw, (key, value) => pairs.push([key, value]));
  return pairs;
}

describe('parameters of a query string', () => {
  it.each<[raw: string, pairs: [string, string][]]>([
    ['', []],
    ['a=1', [['a', '1']]],
    [
      'a=1&b=2&a=3',
      [
        ['a', '1'],
        ['b', '2'],
        ['a', '3'],
      ],
    ],
    ['a=', [['a', '']]],
    ['=1', [['', '1']]],
    ['=', [['', '']]],
    ['a=b=c', [['a', 'b=c']]],
    ['a', []],
    ['a&b=1&c', [['b', '1']]],
    ['&&a=1&&', [['a', '1']]],
    ['a=1;b=2', [['a', '1;b=2']]],
    ['a=x+y', [['a', 'x y']]],
    ['a=x%20y', [['a', 'x y']]],
    ['a+b=c', [['a b', 'c']]],
    ['a=%2B', [['a', '+']]],
    ['a=%2b', [['a', '+']]],
    ['a=%26%3D%25', [['a', '&=%']]],
    ['%61=%62', [['a', 'b']]],
    ['a=%C3%A9', [['a', 'é']]],
    ['a=%F0%9D%92%B3', [['a', '𝒳']]],
    ['a=é名𝒳', [['a', 'é名𝒳']]],
    ['a=%EF%BB%BF', [['a', '\ufeff']]],
    ['a=%EF%BF%BD', [['a', '\ufffd']]],
    ['a=%2541', [['a', '%41']]],
    ['%zz&a=1', [['a', '1']]],
    ['a=%0A%09', [['a', '\n\t']]],
    ['a=%', [['a', '%']]],
    ['a=50%', [['a', '50%']]],
    ['a=%4', [['a', '%4']]],
    ['a=%zz', [['a', '%zz']]],
    ['a=%4z', [['a', '%4z']]],
    ['a=%+41', [['a', '% 41']]],
    ['a=%20%x', [['a', ' %x']]],
    ['a=%C3%A9%', [['a', 'é%']]],
    ['a=%%41%', [['a', '%A%']]],
    ['a=%%%', [['a', '%%%']]],
    ['a=%é', [['a', '%é']]],
    [
      'a=1&%x=1',
      [
        ['a', '1'],
        ['%x', '1'],
      ],
    ],
    [
      'a=%&b=1',
      [
        ['a', '%'],
        ['b', '1'],
      ],
    ],
    ['name=like.%plan%', [['name', 'like.%plan%']]],
    ['select=a%,b', [['select', 'a%,b']]],
  ])('are decoded from %j as %j', (raw, pairs) => {
    expect(decode(raw)).toEqual(pairs);
  });

  it.each<[raw: string, refusal: string]>([
    ['a=%FF', '3: unexpected "%FF" expecting UTF-8'],
    ['a=%80', '3: unexpected "%80" expecting UTF-8'],
    ['a=%C3', '3: unexpected "%C3" expecting UTF-8'],
    ['a=%C3x', '3: unexpected "%C3" expecting UTF-8'],
    ['a=%C3%', '3: unexpected "%C3" expecting UTF-8'],
    ['a=%%ff%', '4: unexpected "%ff" expecting UTF-8'],
    ['a=%+%20%zz%80', '11: unexpected "%80" expecting UTF-8'],
    ['a=%C0%80', '3: unexpected "%C0" expecting UTF-8'],
    ['a=%E0%80%80', '3: unexpected "%E0" expecting UTF-8'],
    ['a=%ED%A0%80', '3: unexpected "%ED" expecting UTF-8'],
    ['a=%F4%90%80%80', '3: unexpected "%F4" expecting UTF-8'],
    ['a=ok%20%ff', '8: unexpected "%ff" expecting UTF-8'],
    ['%ff=a', '1: unexpected "%ff" expecting UTF-8'],
    ['a=%00', '3: unexpected NUL character expecting text'],
    ['a=x%00y', '3: unexpected NUL character expecting text'],
    ['%00=x', '1: unexpected NUL character expecting text'],
    ['a=\0', '3: unexpected NUL character expecting text'],
    ['a=\ud800', '3: unexpected lone surrogate expecting UTF-8'],
    ['a=%20\udc00', '3: unexpected lone surrogate expecting UTF-8'],
  ])('are rejected: %j', (raw, refusal) => {
    expect(refusalOf(() => decode(raw))).toBe(refusal);
  });

  it('are rejected beyond the maximum length', () => {
    expect(decode(`a=${'x'.repeat(MAX_QUERY_CHARACTERS - 2)}`)).toHaveLength(1);
    expect(refusalOf(() => decode(`a=${'x'.repeat(MAX_QUERY_CHARACTERS - 1)}`))).toBe(
      '65537: at most 65536 characters',
    );
  });

  it('are quoted in errors', () => {
    expect(() => decode('a=%ff')).toThrow('"failed to parse query string (a=%ff)" (line 1, column 3)');
  });
});
