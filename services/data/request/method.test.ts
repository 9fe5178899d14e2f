import { describe, expect, it } from 'vitest';
import { actionOf } from './method.ts';
import type { Route } from './route.ts';

const FILMS: Route = { kind: 'relation', name: 'films' };
const NOW: Route = { kind: 'rpc', name: 'now' };
const ROOT: Route = { kind: 'root' };

describe('actionOf', () => {
  it.each([
    [FILMS, 'GET', { kind: 'read', relation: 'films', isHead: false }],
    [FILMS, 'HEAD', { kind: 'read', relation: 'films', isHead: true }],
    [FILMS, 'POST', { kind: 'insert', relation: 'films' }],
    [FILMS, 'PATCH', { kind: 'update', relation: 'films' }],
    [FILMS, 'PUT', { kind: 'put', relation: 'films' }],
    [FILMS, 'DELETE', { kind: 'delete', relation: 'films' }],
    [FILMS, 'OPTIONS', { kind: 'options', route: FILMS }],
    [NOW, 'GET', { kind: 'call', function: 'now', method: 'GET', isHead: false }],
    [NOW, 'HEAD', { kind: 'call', function: 'now', method: 'HEAD', isHead: true }],
    [NOW, 'POST', { kind: 'call', function: 'now', method: 'POST', isHead: false }],
    [NOW, 'OPTIONS', { kind: 'options', route: NOW }],
    [ROOT, 'GET', { kind: 'describe', isHead: false }],
    [ROOT, 'HEAD', { kind: 'describe', isHead: true }],
    [ROOT, 'OPTIONS', { kind: 'options', route: ROOT }],
  ])('returns an action for %j with %s', (route, method, action) => {
    expect(actionOf(route, method)).toEqual(action);
  });

  it.each([
    [FILMS, 'TRACE', 'PGRST117'],
    [FILMS, 'get', 'PGRST117'],
    [FILMS, 'constructor', 'PGRST117'],
    [NOW, 'PATCH', 'PGRST101'],
    [NOW, 'PUT', 'PGRST101'],
    [NOW, 'DELETE', 'PGRST101'],
    [NOW, 'TRACE', 'PGRST101'],
    [ROOT, 'POST', 'PGRST117'],
    [ROOT, 'PATCH', 'PGRST117'],
    [ROOT, 'PUT', 'PGRST117'],
    [ROOT, 'DELETE', 'PGRST117'],
  ])('rejects %j with %s', (route, method, code) => {
    const refusal = { code, status: 405, message: expect.stringContaining(method) };
    expect(() => actionOf(route, method)).toThrow(expect.objectContaining(refusal));
  });
});
