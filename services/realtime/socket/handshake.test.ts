import { request } from 'node:http';
import { sendHandshake } from '@greenroom/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { RealtimeServer } from '../testing/realtime-server.ts';

let server: RealtimeServer;

beforeAll(async () => {
  server = await RealtimeServer.open({ settings: { GREENROOM_REALTIME_MAX_CONCURRENT_USERS: '2' } });
});
afterEach(() => server.closeClients());
afterAll(() => server.close());

/** Returns status and body of a handshake; only the status if it succeeds. */
async function shake(
  query: string,
  headers: Record<string, string> = {},
  target = server,
): Promise<[number, unknown]> {
  const url = `${target.url}/websocket?${query}`;
  const { status, headers: received, body } = await sendHandshake(url, headers);
  if (status === 101) return [status, undefined];
  return [status, received['content-type']?.includes('json') ? JSON.parse(body) : body];
}

/** Waits until the sockets of previous handshakes are closed. */
async function waitUntilEmpty(target = server): Promise<void> {
  await expect.poll(() => target.metric('greenroom_realtime_sockets'), { interval: 5 }).toBe(0);
}

describe('a handshake', () => {
  it.each<[string, () => string | Promise<string>]>([
    ['the anon key', () => server.apiKeys.anon],
    ['the publishable key', () => server.apiKeys.publishable],
    ['the secret key', () => server.apiKeys.secret],
    ['a token of a user', () => server.token()],
    ['a key followed by a line break', () => `${server.apiKeys.anon}%0A`],
  ])('succeeds with %s', async (_, key) => {
    for (const vsn of ['', '&vsn=1.0.0', '&vsn=2.0.0&log_level=info&other=1']) {
      expect(await shake(`apikey=${await key()}${vsn}`)).toEqual([101, undefined]);
    }
    await waitUntilEmpty();
  });

  it('prefers the key of the header to that of the URL', async () => {
    expect(await shake('apikey=wrong', { 'x-api-key': server.apiKeys.anon })).toEqual([101, undefined]);
    expect((await shake(`apikey=${server.apiKeys.anon}`, { 'x-api-key': 'wrong' }))[0]).toBe(401);
    await waitUntilEmpty();
  });

  it.each<[string, () => string | Promise<string>, number, string]>([
    ['without a key', () => 'vsn=2.0.0', 401, 'API key is missing'],
    ['with an empty key', () => 'apikey=', 401, 'API key is missing'],
    ['with a malformed key', () => 'apikey=a.b.c', 401, 'The token provided is not a valid JWT'],
    ['with an unknown key', () => 'apikey=sb_secret_guess', 401, 'The token provided is not a valid JWT'],
    [
      'with an expired token',
      () => server.token({ exp: 1000 }).then((token) => `apikey=${token}`),
      401,
      'Token has expired',
    ],
    [
      'with a token without a role',
      () => server.token({ role: undefined }).then((token) => `apikey=${token}`),
      401,
      'Fields `role` and `exp` are required in JWT',
    ],
    [
      'with a token of an invalid signature',
      () => `apikey=${server.apiKeys.anon.slice(0, -8)}AAAAAAAA`,
      401,
      'Failed to validate JWT signature',
    ],
    [
      'of an unknown protocol version',
      () => `apikey=${server.apiKeys.anon}&vsn=3.0.0`,
      403,
      'vsn must be 1.0.0 or 2.0.0',
    ],
  ])('%s is rejected', async (_, query, status, error) => {
    expect(await shake(await query())).toEqual([status, { error }]);
  });

  it('without a valid WebSocket upgrade is rejected', async () => {
    expect((await shake(`apikey=${server.apiKeys.anon}`, { 'sec-websocket-key': 'short' }))[0]).toBe(400);
    const response = await fetch(`${server.url}/websocket?apikey=${server.apiKeys.anon}`);
    expect([response.status, await response.json()]).toEqual([
      426,
      { error: 'This path requires a WebSocket upgrade' },
    ]);
  });

  it('is rejected when all sockets are in use', async () => {
    await Promise.all([server.connect(), server.connect()]);
    expect(await shake(`apikey=${server.apiKeys.anon}`)).toEqual([
      429,
      { error: 'Too many connected users' },
    ]);
    server.closeClients();
    await waitUntilEmpty();
    expect((await shake(`apikey=${server.apiKeys.anon}`))[0]).toBe(101);
  });

  it('survives clients that disconnect during it', async () => {
    for (let round = 0; round < 20; round += 1) {
      const sent = request(`${server.url}/websocket?apikey=${server.apiKeys.anon}`, {
        headers: { connection: 'Upgrade', upgrade: 'websocket' },
      });
      sent.on('error', () => {});
      sent.end(() => sent.destroy());
      await new Promise((resolve) => sent.once('close', resolve));
    }
    await waitUntilEmpty();
    expect((await shake(`apikey=${server.apiKeys.anon}`))[0]).toBe(101);
  });
});

describe('handshakes of one address', () => {
  it('are rejected without a reason after too many failures, and need no key if none is required', async () => {
    await using closing = new AsyncDisposableStack();
    const other = await RealtimeServer.open({ database: server.database, requireApiKey: false });
    closing.defer(() => other.close());
    expect(await shake('', {}, other)).toEqual([101, undefined]);
    for (let round = 0; round < 100; round += 1) await shake('apikey=x', {}, other);
    const refusal = [429, { error: 'Too many joins per second' }];
    expect(await shake('apikey=x', {}, other)).toEqual(refusal);
    expect((await shake(`apikey=${other.apiKeys.anon}`, {}, other))[0]).toBe(101);
  });
});
