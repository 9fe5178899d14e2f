import { type IncomingMessage, request } from 'node:http';
import { createMetrics } from '@greenroom/http';
import {
  type ApiKeys,
  createApiKeyReader,
  createApiKeys,
  createKeyring,
  generateKeyFile,
} from '@greenroom/keys';
import { listenForTest, type TestServer } from '@greenroom/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isLoopbackOnly, registerMetrics } from './metrics-route.ts';
import { loadConfig } from './settings.ts';

describe('isLoopbackOnly', () => {
  it.each([
    [{}, true],
    [{ HOST: 'localhost' }, true],
    [{ HOST: '127.0.0.2' }, true],
    [{ HOST: '::1' }, true],
    [{ HOST: '0.0.0.0' }, false],
    [{ HOST: '::' }, false],
    [{ HOST: '192.168.0.7' }, false],
    [{ HOST: '127.example.org' }, false],
    [{ SITE_URL: 'https://example.org' }, false],
    [{ GREENROOM_TRUST_PROXY: '127.0.0.1' }, false],
    [{ API_EXTERNAL_URL: 'https://api.example.org' }, false],
  ])('with %j is %s', (source, expected) => {
    expect(isLoopbackOnly(loadConfig(source))).toBe(expected);
  });
});

/** `fetch` cannot set the header `Host`. */
async function get(url: string, headers: Record<string, string>): Promise<{ status: number; text: string }> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, { headers }, resolve).on('error', reject).end();
  });
  return { status: response.statusCode ?? 0, text: Buffer.concat(await response.toArray()).toString() };
}

describe('/metrics', () => {
  let keys: ApiKeys;
  const servers: Record<string, TestServer> = {};

  beforeAll(async () => {
    const file = await generateKeyFile(Math.floor(Date.now() / 1000));
    keys = await createApiKeys(file);
    const readApiKey = createApiKeyReader(keys, createKeyring({ ...file, signingKeys: [file.signingKey] }));
    for (const requireKey of [true, false]) {
      servers[requireKey ? 'public' : 'private'] = await listenForTest(async (server) =>
        registerMetrics(server, [createMetrics().registry], { readApiKey, requireKey }),
      );
    }
  });
  afterAll(() => Promise.all(Object.values(servers).map((server) => server.close())));

  const visitor = { 'x-forwarded-for': '203.0.113.7' };
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

  it.each<[server: string, what: string, headers: () => Record<string, string>, status: number]>([
    ['private', 'a request without headers', () => ({}), 200],
    ['private', 'the headers of a proxy', () => visitor, 403],
    ['private', 'the header of another proxy', () => ({ forwarded: 'for=203.0.113.7' }), 403],
    ['private', 'the key through a proxy', () => ({ ...visitor, apikey: keys.serviceRole }), 200],
    ['private', 'the key at another host', () => ({ host: 'evil.example', apikey: keys.serviceRole }), 200],
    ['private', 'a page that rebinds its name', () => ({ host: 'evil.example' }), 403],
    [
      'private',
      'a page that rebinds its name to the port of the server',
      () => ({ host: 'evil.example:54321' }),
      403,
    ],
    ['private', 'the name of this machine', () => ({ host: 'localhost:54321' }), 200],
    ['public', 'a request without headers', () => ({}), 403],
    ['public', 'the anon key', () => ({ apikey: keys.anon }), 403],
    ['public', 'the publishable key', () => bearer(keys.publishable), 403],
    ['public', 'an unknown key', () => ({ apikey: 'sb_secret_guess' }), 403],
    ['public', 'the service_role key', () => ({ apikey: keys.serviceRole }), 200],
    ['public', 'the secret key', () => ({ apikey: keys.secret }), 200],
    ['public', 'the service_role key as bearer token', () => bearer(keys.serviceRole), 200],
    ['public', 'the secret key as bearer token', () => bearer(keys.secret), 200],
    [
      'public',
      'the anon key with the service_role key as bearer token',
      () => ({ apikey: keys.anon, ...bearer(keys.serviceRole) }),
      200,
    ],
  ])('of a %s server responds to %s with $3', async (server, _, headers, status) => {
    const response = await get(`${servers[server]?.url}/metrics`, headers());
    expect(response.status).toBe(status);
    expect(response.text.includes('process_cpu_seconds_total')).toBe(status === 200);
  });
});
