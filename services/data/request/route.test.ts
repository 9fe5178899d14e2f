import { CatalogueError } from '@greenroom/errors';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRoute } from './route.ts';

const HELLO = { name: 'hello', schema: undefined };
const ROOT = { openApiMode: 'follow-privileges', rootFunction: undefined } as const;

describe('parseRoute', () => {
  it.each([
    ['/', { kind: 'root' }],
    ['', { kind: 'root' }],
    ['/films', { kind: 'relation', name: 'films' }],
    ['/rpc', { kind: 'relation', name: 'rpc' }],
    ['/rpc/now', { kind: 'rpc', name: 'now' }],
    ['/my%20films', { kind: 'relation', name: 'my films' }],
    ['/a%2Fb', { kind: 'relation', name: 'a/b' }],
    ['/a%252Fb', { kind: 'relation', name: 'a%2Fb' }],
    ['/r%C3%A9sum%C3%A9', { kind: 'relation', name: 'résumé' }],
    ['/rpc/a+b', { kind: 'rpc', name: 'a+b' }],
  ])('reads %s', (path, route) => {
    expect(parseRoute(path, ROOT)).toEqual(route);
  });

  it.each([
    '//',
    '/films/',
    '/films/1',
    '/rpc/',
    '/rpc/now/',
    '/rpc/a/b',
    '/%',
    '/%ff',
    '//films',
    '/RPC/now',
  ])('rejects %s', (path) => {
    expect(() => parseRoute(path, ROOT)).toThrow(expect.objectContaining({ code: 'PGRST125', status: 404 }));
  });

  it('routes the root to the root function', () => {
    expect(parseRoute('/', { ...ROOT, rootFunction: HELLO })).toEqual({ kind: 'rpc', ...HELLO });
  });

  it.each([undefined, HELLO])('rejects the root if it is disabled (function: %o)', (rootFunction) => {
    expect(() => parseRoute('/', { openApiMode: 'disabled', rootFunction })).toThrow(
      expect.objectContaining({ code: 'PGRST126', status: 404 }),
    );
  });

  it('accepts any text', () => {
    fc.assert(
      fc.property(fc.webPath(), fc.string(), (path, text) => {
        for (const tried of [path, text]) {
          try {
            parseRoute(tried, ROOT);
          } catch (error) {
            expect(error).toBeInstanceOf(CatalogueError);
          }
        }
      }),
    );
  });
});
