import { describe, expect, it } from 'vitest';
import { createBodyQueue } from '../request/body.ts';
import { parseRequest } from '../request/parse-request.ts';
import { loadDataConfig } from '../settings/settings.ts';
import { planKey } from './plan-key.ts';

interface Sent {
  method?: string;
  path?: string;
  query?: string;
  headers?: Record<string, string>;
  body?: string;
}

const config = loadDataConfig({ PGRST_DB_SCHEMAS: 'public,other' });
const bodyQueue = createBodyQueue();

function keyOf({ method = 'GET', path = '/films', query = '', headers = {}, body = '' }: Sent): string {
  const request = parseRequest(
    {
      method,
      path,
      queryString: query,
      headers,
      token: undefined,
      body: Buffer.from(body),
      clientAddress: '',
      signal: { aborted: false, reason: undefined, onabort: null },
    },
    config,
    undefined,
    bodyQueue,
  );
  if (request instanceof Promise || request.kind === 'options') throw new Error('no plan');
  return planKey(request);
}

const post = (body: string, more: Sent = {}): Sent => ({ method: 'POST', body, ...more });

describe('planKey', () => {
  it.each<[name: string, one: Sent, other: Sent]>([
    ['values of filters', { query: 'id=eq.1' }, { query: 'id=eq.2' }],
    ['limits and offsets', { query: 'limit=1&offset=2' }, { query: 'limit=3&offset=4' }],
    ['values of rows', post('{"a":1}'), post('{"a":2}')],
    ['arguments', { path: '/rpc/f', query: 'a=1' }, { path: '/rpc/f', query: 'a=2' }],
    ['arguments in a body', post('{"a":1}', { path: '/rpc/f' }), post('{"a":2}', { path: '/rpc/f' })],
    ['preferences that change no plan', {}, { headers: { prefer: 'tx=rollback' } }],
  ])('does not depend on %s', (_, one, other) => {
    expect(keyOf(one)).toBe(keyOf(other));
  });

  it('differs for requests with different plans', () => {
    const requests: Sent[] = [
      {},
      { method: 'HEAD' },
      { path: '/' },
      { path: '/', method: 'HEAD' },
      { path: '/get' },
      { query: 'limit=1' },
      { query: 'offset=1' },
      { query: 'limit=1&offset=1' },
      { query: 'id=eq.1' },
      { headers: { prefer: 'count=exact' } },
      { headers: { prefer: 'count=planned' } },
      { headers: { accept: 'text/csv' } },
      { headers: { 'accept-profile': 'other' } },
      post('{"a":1}'),
      post('[{"a":1}]'),
      post('{"b":1}'),
      post('{"a":1}', { method: 'PATCH' }),
      post('{"a":1}', { method: 'PUT' }),
      { method: 'DELETE' },
      post('{"a":1}', { headers: { prefer: 'return=representation' } }),
      post('{"a":1}', { headers: { prefer: 'resolution=merge-duplicates' } }),
      post('{"a":1}', { headers: { prefer: 'missing=default' } }),
      post('{"a":1}', { headers: { prefer: 'count=exact' } }),
      post('{"a":1}', { headers: { accept: 'text/csv' } }),
      post('{"a":1}', { headers: { 'content-profile': 'other' } }),
      { path: '/rpc/films' },
      { path: '/rpc/films', method: 'HEAD' },
      { path: '/rpc/films', query: 'a=1' },
      post('', { path: '/rpc/films' }),
      post('{"a":1}', { path: '/rpc/films' }),
      post('a', { path: '/rpc/films', headers: { 'content-type': 'text/plain' } }),
    ];
    expect(new Set(requests.map(keyOf)).size).toBe(requests.length);
  });
});
