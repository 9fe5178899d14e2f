import { describe, expect, it } from 'vitest';
import { pathSegment, referenceTo, splitComment } from './swagger.ts';

describe('a comment', () => {
  it.each([
    [null, {}],
    ['', {}],
    ['one', { summary: 'one' }],
    ['one\n', { summary: 'one' }],
    ['one\ntwo', { summary: 'one', description: 'two' }],
    ['one\n\n\ntwo\n\nthree', { summary: 'one', description: 'two\n\nthree' }],
    ['one\r\n\r\ntwo', { summary: 'one', description: 'two' }],
    ['\ntwo', { description: 'two' }],
  ])('%j is split into %j', (comment, parts) => {
    expect(splitComment(comment)).toEqual(parts);
  });
});

it.each([
  ['rowFilter.films.id', '#/definitions/rowFilter.films.id'],
  ['a/b~c', '#/definitions/a~1b~0c'],
  ['ä "b"%#', '#/definitions/%C3%A4%20%22b%22%25%23'],
])('a reference to %s is %s', (name, reference) => {
  expect(referenceTo('definitions', name)).toEqual({ $ref: reference });
});

it.each([
  ['films', 'films'],
  ['Ä b', 'Ä b'],
  ['a/b?c#d%{e}', 'a%2Fb%3Fc%23d%25%7Be%7D'],
])('encodes %s in a path as %s', (name, segment) => {
  expect(pathSegment(name)).toBe(segment);
});
