import { createLogger } from '@greenroom/log';
import { expect, it } from 'vitest';
import { RealtimeServer } from './testing/realtime-server.ts';

const SUB = '44444444-4444-4444-8444-444444444444';

it('logs no token, key or payload for any failure', async () => {
  const lines: string[] = [];
  await using closing = new AsyncDisposableStack();
  const server = await RealtimeServer.open({
    log: createLogger('trace', { write: (line: string) => lines.push(line) }),
    sql: `create policy broken on realtime.messages for select to authenticated using (realtime.topic()::int = 1)`,
  });
  closing.defer(() => server.close());
  const [good, bad] = [await server.token({ sub: SUB }), await server.token({ sub: SUB, exp: 1000 })];
  const client = await server.connect('2.0.0', good);
  const config = { broadcast: { ack: true, self: 'payload-1' }, presence: { key: 'payload-2' } };
  await client.join('realtime:a', config, { access_token: good });
  await client.join('realtime:private', { private: true }, { access_token: good });
  await client.join('realtime:b', {}, { access_token: bad });
  client.socket.send('payload-3, and no frame');
  client.push('realtime:a', 'broadcast', { event: 'e', payload: 'payload-4' });
  client.push('realtime:a', 'presence', { event: 'track', payload: { a: 'payload-5' } });
  client.push('realtime:a', 'access_token', { access_token: `${good}x` });
  await client.next('phx_close');
  await fetch(`${server.url}/websocket?apikey=${bad}`);
  await fetch(`${server.url}/api/broadcast/a/events/e?apikey=${good}`, {
    method: 'POST',
    body: '"payload-6"',
  });
  const log = lines.join('');
  expect(log).toContain('invalid input syntax');
  expect(log).toContain('InvalidJoinPayload');
  for (const token of [good, bad, server.apiKeys.anon]) {
    for (const part of token.split('.').slice(1)) expect(log).not.toContain(part);
  }
  expect(log).not.toContain('payload-');
});

it('responds at its other paths with the name of the service, 404 or 400', async () => {
  await using closing = new AsyncDisposableStack();
  const server = await RealtimeServer.open();
  closing.defer(() => server.close());
  const request = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(server.url + path, { ...init, headers: { apikey: server.apiKeys.anon } });
    return response.status;
  };
  expect(await request('/api/ping')).toBe(200);
  expect(await request('/api/ping', { method: 'POST' })).toBe(404);
  expect(await request('/nowhere')).toBe(404);
  expect(await request('/api/broadcast/a/events/%ff', { method: 'POST' })).toBe(400);
  await server.instance.requireReady();
});
