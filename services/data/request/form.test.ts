import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formToJson, parseForm } from './form.ts';

describe('parseForm', () => {
  it.each([
    ['', []],
    [
      'a=1&b=2',
      [
        ['a', '1'],
        ['b', '2'],
      ],
    ],
    [
      'a=1&a=2',
      [
        ['a', '1'],
        ['a', '2'],
      ],
    ],
    [
      'a&b=',
      [
        ['a', ''],
        ['b', ''],
      ],
    ],
    ['a=b=c', [['a', 'b=c']]],
    ['&a=1&&', [['a', '1']]],
    ['a+b=c%20d%2B%26%3D%C3%A4', [['a b', 'c d+&=ä']]],
    ['a=%', [['a', '%']]],
    ['5%=100%25%', [['5%', '100%%']]],
    ['a=%ff', undefined],
    ['%ff=a', undefined],
    ['%%ff', undefined],
  ])('reads %j', (text, fields) => {
    expect(parseForm(text)).toEqual(fields);
  });

  it('parses the forms of browsers', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }))),
        (fields) => {
          expect(parseForm(new URLSearchParams(fields).toString())).toEqual(fields);
        },
      ),
    );
  });
});

it('converts a form to one object, where the last field of a name wins', () => {
  expect(
    formToJson([
      ['a', '1'],
      ['__proto__', '"'],
      ['a', '2'],
    ]),
  ).toBe('{"a":"2","__proto__":"\\""}');
});
