import { describe, expect, it } from 'vitest';
import { jsonError, prefersJson } from './json-error.ts';

describe('prefersJson', () => {
  it.each<[string, Record<string, string>, string, boolean]>([
    ['a browser', { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }, '/x', false],
    ['a browser that accepts both', { accept: 'application/json, text/html' }, '/x', false],
    ['a browser at an API path', { accept: 'text/html' }, '/api/x', false],
    ['a client of an API', { accept: 'application/json' }, '/x', true],
    ['curl', { accept: '*/*', 'user-agent': 'curl/8.5.0' }, '/x', true],
    ['HTTPie', { accept: '*/*', 'user-agent': 'HTTPie/3.2' }, '/x', true],
    ['a script in a page', { accept: '*/*', 'sec-fetch-mode': 'cors' }, '/x', true],
    ['a navigation', { accept: '*/*', 'sec-fetch-mode': 'navigate' }, '/x', false],
    ['an API path', { accept: '*/*' }, '/api/x', true],
    ['a JSON file', { accept: '*/*' }, '/x.json', true],
    ['a path with the same prefix', { accept: '*/*' }, '/apix', false],
    ['a request without headers', {}, '/x', false],
  ])('returns for %s: $3', (_name, headers, pathname, expected) => {
    expect(prefersJson(new Headers(headers), pathname)).toBe(expected);
  });
});

describe('jsonError', () => {
  it('contains the status in the body, too', async () => {
    const reason = { code: 'pageNotFound', value: '/x' };
    const description = { status: 404, title: 'Page Not Found', reason } as const;
    const response = jsonError(description, '/x', new Headers({ vary: 'accept' }));
    expect(response.status).toBe(404);
    expect(response.headers.get('vary')).toBe('accept');
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toEqual({
      error: true,
      url: '/x',
      status: 404,
      statusText: 'Page Not Found',
      message: 'Page not found: /x',
      data: { path: '/x' },
    });
  });
});
