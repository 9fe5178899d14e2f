import { describe, expect, it } from 'vitest';
import { buildBody, buildUrl, hasPayload } from './request-parts.ts';

describe('buildUrl', () => {
  it.each([
    ['a', '/', undefined, '/a'],
    ['/a', '/', undefined, '/a'],
    ['/a', '/app/', undefined, '/app/a'],
    ['//a', '/app/', undefined, '//a'],
    ['a/b', '/app', undefined, '/app/a/b'],
    ['', '/app/', undefined, '/app/'],
    ['/a', 'https://x.example/v1/', undefined, 'https://x.example/v1/a'],
    ['https://y.example/a', '/app/', undefined, 'https://y.example/a'],
    ['/a', '/', {}, '/a'],
    ['/a', '/', { b: 1, c: 'x y', d: true }, '/a?b=1&c=x+y&d=true'],
    ['/a?z', '/', { b: 1 }, '/a?z&b=1'],
    ['/a#top', '/', { b: 1 }, '/a?b=1#top'],
    ['/a', '/', { b: [1, 2], c: undefined, d: null, e: [null, 'f'] }, '/a?b=1&b=2&e=f'],
    ['/a', '/', { 'b&c': '=' }, '/a?b%26c=%3D'],
  ])('joins %s below %s with %j: %s', (path, base, query, expected) => {
    expect(buildUrl(path, base, query)).toBe(expected);
  });
});

describe('buildBody', () => {
  const form = new URLSearchParams({ a: '1' });

  it.each([
    ['POST', { a: 1 }, '{"a":1}', 'application/json'],
    ['PUT', [1], '[1]', 'application/json'],
    ['PATCH', Object.assign(Object.create(null), { a: 1 }), '{"a":1}', 'application/json'],
    ['delete', { a: 1 }, '{"a":1}', 'application/json'],
    ['POST', 'text', 'text', null],
    ['POST', form, form, null],
    ['POST', null, null, null],
    ['POST', undefined, null, null],
  ])('converts for %s %j', (method, body, expected, type) => {
    const built = buildBody(method, body, undefined);
    expect(built.body).toBe(expected);
    expect([built.headers.get('content-type'), built.headers.get('accept')]).toEqual([type, type]);
  });

  it('keeps headers of the caller', () => {
    const input = { 'Content-Type': 'application/vnd.api+json', accept: 'text/plain' };
    const { headers } = buildBody('POST', { a: 1 }, input);
    expect([headers.get('content-type'), headers.get('accept')]).toEqual([
      'application/vnd.api+json',
      'text/plain',
    ]);
  });
});

describe('hasPayload', () => {
  it.each([
    ['POST', true],
    ['put', true],
    ['PATCH', true],
    ['DELETE', true],
    ['GET', false],
    ['HEAD', false],
    ['OPTIONS', false],
  ])('returns for %s: %s', (method, expected) => {
    expect(hasPayload(method)).toBe(expected);
  });
});
