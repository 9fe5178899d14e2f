import { spawnSync } from 'node:child_process';
import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { get, request } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConfigSource } from '@greenroom/config';
import { loadKeyFile } from '@greenroom/keys';
import { createEmptyDatabase, type EmptyDatabase, freePort } from '@greenroom/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Standalone, startStandalone } from './standalone.ts';
import { loadStandaloneConfig } from './standalone-settings.ts';

const HOST = '127.0.0.1';
const SECRET = 'a secret of at least thirty-two bytes';
const POLL = { timeout: 20_000 };

/** A foreign database without the platform. */
let database: EmptyDatabase;
/** Roles belong to all databases of the server. */
let roles: { login: string; visitor: string; clerk: string; stranger: string };
let folder: string;
let running: Standalone | undefined;

const run = (text: string) => database.admin.query({ text });

beforeAll(async () => {
  database = await createEmptyDatabase();
  const of = (role: string) => `${database.name}_${role}`;
  roles = { login: of('login'), visitor: of('visitor'), clerk: of('clerk'), stranger: of('stranger') };
  await run(`create role ${roles.login} login noinherit password 'secret'`);
  for (const role of [roles.visitor, roles.clerk, roles.stranger]) await run(`create role ${role}`);
  await run(`grant ${roles.visitor}, ${roles.clerk}, anon, service_role to ${roles.login}`);
  await run('create table items (id int generated always as identity primary key, name text not null)');
  await run(`grant select on items to ${roles.visitor}`);
  await run(`grant all on items to ${roles.clerk}`);
  await run("insert into items (name) values ('tea'), ('cake')");
  await run(`create function who() returns json language sql stable as
    $$ select json_build_array(current_user, session_user) $$`);
});
afterAll(async () => {
  for (const role of Object.values(roles)) {
    await run(`drop owned by ${role}`);
    await run(`drop role ${role}`);
  }
  await database.drop();
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-standalone-'));
});
afterEach(async () => {
  await running?.close();
  running = undefined;
  await rm(folder, { recursive: true });
});

function loginUrl(port?: number): string {
  const url = new URL(database.url);
  url.username = roles.login;
  url.password = 'secret';
  if (port !== undefined) url.port = String(port);
  return url.href;
}

async function readConfig(env: ConfigSource = {}) {
  return loadStandaloneConfig({
    PORT: String(await freePort()),
    DATABASE_URL: loginUrl(),
    GREENROOM_DATA_DIR: join(folder, 'data'),
    GREENROOM_REQUIRE_API_KEY: 'false',
    LOG_LEVEL: 'silent',
    ...env,
  });
}

/** Sends a request to a server, with the headers of a client that does not keep connections. */
async function requestAt(url: string, { token, ...headers }: Record<string, string> = {}) {
  const authorization: Record<string, string> =
    token === undefined ? {} : { authorization: `Bearer ${token}` };
  const response = await fetch(url, { headers: { ...headers, ...authorization, connection: 'close' } });
  const text = await response.text();
  return {
    status: response.status,
    json: (text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text) as unknown,
  };
}

/** Starts a server, and returns a function that requests paths from it. */
async function startWith(env: ConfigSource = {}) {
  running = await startStandalone('data', await readConfig(env));
  await running.waitUntilReady();
  const { url } = running;
  return (path: string, headers?: Record<string, string>) => requestAt(url + path, headers);
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

function tokenFor(claims: object, secret: string | Buffer = SECRET): string {
  const text = `${encode({ alg: 'HS256' })}.${encode(claims)}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

describe('a request', () => {
  it('runs as the role of its token, or as the role for requests without one', async () => {
    const requestPath = await startWith({ PGRST_DB_ANON_ROLE: roles.visitor, PGRST_JWT_SECRET: SECRET });
    const { login, visitor, clerk, stranger } = roles;
    expect(await requestPath('/rest/v1/rpc/who')).toEqual({ status: 200, json: [visitor, login] });
    const token = tokenFor({ role: clerk });
    expect(await requestPath('/rest/v1/rpc/who', { token })).toEqual({ status: 200, json: [clerk, login] });
    expect(await requestPath('/rest/v1/items?select=name&order=id')).toEqual({
      status: 200,
      json: [{ name: 'tea' }, { name: 'cake' }],
    });
    const refused = await requestPath('/rest/v1/rpc/who', { token: tokenFor({ role: stranger }) });
    expect(refused).toMatchObject({ status: 403, json: { code: '42501' } });
    const wrong = tokenFor({ role: clerk }, 'another secret of at least thirty-two bytes');
    expect(await requestPath('/rest/v1/rpc/who', { token: wrong })).toMatchObject({
      status: 401,
      json: { code: 'PGRST301' },
    });
  });

  it('without a token is rejected if no role is configured for it, and accepted as soon as the database configures one', async () => {
    const requestPath = await startWith({ PGRST_JWT_SECRET: SECRET });
    expect(await requestPath('/rest/v1/items')).toMatchObject({ status: 401, json: { code: 'PGRST302' } });
    await run(`alter role ${roles.login} set pgrst.db_anon_role = '${roles.visitor}'`);
    await run("notify pgrst, 'reload config'");
    await expect.poll(async () => (await requestPath('/rest/v1/items')).status, POLL).toBe(200);
    await run(`alter role ${roles.login} reset all`);
  });

  it('with a token is rejected without a key to verify it', async () => {
    const requestPath = await startWith({ PGRST_DB_ANON_ROLE: roles.visitor });
    const token = tokenFor({ role: roles.clerk });
    expect(await requestPath('/rest/v1/items', { token })).toMatchObject({
      status: 500,
      json: { code: 'PGRST300' },
    });
    expect((await requestPath('/rest/v1/items', { apikey: token })).status).toBe(200);
  });

  it('finds new objects after a notification', async () => {
    const requestPath = await startWith({ PGRST_DB_ANON_ROLE: roles.visitor });
    expect((await requestPath('/rest/v1/rooms')).status).toBe(404);
    await run('create table rooms (id int primary key)');
    await run(`grant select on rooms to ${roles.visitor}`);
    await run("notify pgrst, 'reload schema'");
    await expect.poll(async () => (await requestPath('/rest/v1/rooms')).status, POLL).toBe(200);
    await run('drop table rooms');
  });
});

describe('the secret for tokens', () => {
  const bytes = Buffer.from('000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f', 'hex');
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'one' };
  const signedByKey = (claims: object) => {
    const text = `${encode({ alg: 'ES256', kid: 'one' })}.${encode(claims)}`;
    const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' });
    return `${text}.${signature.toString('base64url')}`;
  };

  it.each<[string, ConfigSource, (claims: object) => string]>([
    [
      'a base64 text',
      { PGRST_JWT_SECRET: bytes.toString('base64'), PGRST_JWT_SECRET_IS_BASE64: 'true' },
      (claims) => tokenFor(claims, bytes),
    ],
    ['a key', { PGRST_JWT_SECRET: JSON.stringify(jwk) }, signedByKey],
    ['a set of keys', { PGRST_JWT_SECRET: JSON.stringify({ keys: [jwk] }) }, signedByKey],
  ])('may be %s', async (_, env, signed) => {
    const requestPath = await startWith(env);
    const token = signed({ role: roles.clerk });
    expect((await requestPath('/rest/v1/rpc/who', { token })).json).toEqual([roles.clerk, roles.login]);
    const refused = await requestPath('/rest/v1/rpc/who', { token: tokenFor({ role: roles.clerk }) });
    expect(refused).toMatchObject({ status: 401, json: { code: 'PGRST301' } });
  });
});

describe('the server', () => {
  it('reports its state, and creates no files', async () => {
    const requestPath = await startWith();
    expect(await requestPath('/health')).toEqual({
      status: 200,
      json: { status: 'ok', version: '0.1.0', parts: { database: 'ok', data: 'ok' } },
    });
    expect((await requestPath('/metrics')).json).toContain('greenroom_http_request_seconds');
    expect(await readdir(folder)).toEqual([]);
  });

  it('serves the data API at the root as well', async () => {
    const requestPath = await startWith({ PGRST_DB_ANON_ROLE: roles.visitor });
    for (const path of ['', '/rest/v1']) {
      expect((await requestPath(`${path}/items?id=eq.1`)).json).toEqual([{ id: 1, name: 'tea' }]);
      expect((await requestPath(`${path}/rpc/who`)).json).toEqual([roles.visitor, roles.login]);
      expect((await requestPath(`${path}/`)).json).toMatchObject({
        basePath: '/rest/v1',
        paths: { '/items': {} },
      });
      expect(await requestPath(`${path}/auth/v1/health`)).toMatchObject({
        status: 404,
        json: { code: 'PGRST125' },
      });
      expect(await requestPath(`${path}/admin`)).toMatchObject({ status: 404, json: { code: 'PGRST205' } });
    }
  });

  it('requires the API keys of the data folder if keys are required', async () => {
    const env = { GREENROOM_REQUIRE_API_KEY: 'true', PGRST_JWT_SECRET: SECRET };
    const requestPath = await startWith(env);
    for (const path of ['/rest/v1/rpc/who', '/rpc/who']) {
      expect(await requestPath(path)).toMatchObject({ status: 401, json: { code: 'api_key_missing' } });
    }
    const keys = await loadKeyFile(join(folder, 'data', 'keys.json'));
    if (!keys) throw new Error('no keys were made');
    const publishable = { apikey: keys.publishableKey };
    expect((await requestPath('/rest/v1/rpc/who', publishable)).json).toEqual(['anon', roles.login]);
    expect((await requestPath('/rest/v1/rpc/who', { apikey: keys.secretKey })).json).toEqual([
      'service_role',
      roles.login,
    ]);
    for (const token of [tokenFor({ role: roles.clerk }), tokenFor({ role: roles.clerk }, keys.jwtSecret)]) {
      expect((await requestPath('/rest/v1/rpc/who', { ...publishable, token })).json).toEqual([
        roles.clerk,
        roles.login,
      ]);
    }
    await expect(startStandalone('data', await readConfig(env))).rejects.toThrow('is in use by');
  });
});

describe('the address of the server', () => {
  /** Sends a request through a Unix socket. */
  const requestSocket = (socketPath: string, path: string) =>
    new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
      const request = get({ socketPath, path, headers: { connection: 'close' } }, async (response) => {
        const pieces = await response.toArray();
        resolve({ status: response.statusCode, text: Buffer.concat(pieces).toString() });
      });
      request.on('error', reject);
    });
  const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

  it('is not opened if a key for tokens is unusable', async () => {
    const config = await readConfig({ PGRST_JWT_SECRET: '{"keys":[{"kty":"EC","crv":"bogus"}]}' });
    await expect(startStandalone('data', config)).rejects.toThrow('a token key must be of type oct, RSA, EC');
    await expect(fetch(config.localUrl)).rejects.toThrow();
  });

  it('may be a Unix socket, even if a killed server has left its file', async () => {
    const path = join(folder, 'api.sock');
    const env = {
      PGRST_DB_ANON_ROLE: roles.visitor,
      PGRST_SERVER_UNIX_SOCKET: path,
      PGRST_SERVER_UNIX_SOCKET_MODE: '600',
    };
    // Killed before it can remove the socket.
    const script = `require('node:net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`;
    expect(spawnSync(process.execPath, ['-e', script]).signal).toBe('SIGKILL');
    expect((await stat(path)).isSocket()).toBe(true);
    running = await startStandalone('data', await readConfig(env));
    await running.waitUntilReady();
    expect(running.url).toBe(`unix:${path}`);
    expect(await modeOf(path)).toBe(0o600);
    expect(await requestSocket(path, '/items?select=id&order=id')).toEqual({
      status: 200,
      text: '[{"id":1}, \n {"id":2}]',
    });
    await expect(startStandalone('data', await readConfig(env))).rejects.toThrow('EADDRINUSE');
    expect((await requestSocket(path, '/rpc/who')).status).toBe(200);
    await running.close();
    running = undefined;
    expect(await readdir(folder)).toEqual([]);
  });

  it('may not be a regular file', async () => {
    const path = join(folder, 'file');
    await writeFile(path, 'mine');
    const config = await readConfig({ PGRST_SERVER_UNIX_SOCKET: path });
    await expect(startStandalone('data', config)).rejects.toThrow('EADDRINUSE');
    expect(await readFile(path, 'utf8')).toBe('mine');
  });

  it('may be shared by several servers', async () => {
    const env = { PGRST_DB_ANON_ROLE: roles.visitor, PGRST_SERVER_REUSEPORT: 'true' };
    const config = await readConfig(env);
    running = await startStandalone('data', config);
    const second = await startStandalone('data', config);
    await Promise.all([running.waitUntilReady(), second.waitUntilReady()]);
    const requestPath = () => requestAt(`${config.localUrl}/rpc/who`);
    expect((await requestPath()).status).toBe(200);
    await running.close();
    running = undefined;
    expect((await requestPath()).status).toBe(200);
    await second.close();
  });

  it.each(['port', 'socket'])('has an admin server on a separate %s', async (kind) => {
    const port = String(await freePort());
    const path = join(folder, 'admin.sock');
    const requestPath = await startWith({
      PGRST_DB_ANON_ROLE: roles.visitor,
      ...(kind === 'port' ? { PGRST_ADMIN_SERVER_PORT: port } : { PGRST_ADMIN_SERVER_UNIX_SOCKET: path }),
    });
    const requestAdmin = async (target: string) => {
      if (kind === 'socket') return requestSocket(path, target);
      const response = await fetch(`http://127.0.0.1:${port}${target}`, { headers: { connection: 'close' } });
      return { status: response.status, text: await response.text() };
    };
    expect(await requestAdmin('/live')).toEqual({ status: 200, text: '' });
    expect(await requestAdmin('/ready')).toEqual({ status: 200, text: '' });
    const metrics = await requestAdmin('/metrics');
    expect([metrics.status, metrics.text]).toEqual([
      200,
      expect.stringContaining('greenroom_http_request_seconds'),
    ]);
    expect((await requestAdmin('/items')).status).toBe(404);
    // A page of another site that rebinds its domain can read nothing.
    if (kind === 'port') {
      const statuses = ['/live', '/ready', '/metrics'].map((target) =>
        statusFor('evil.example', port, target),
      );
      expect(await Promise.all(statuses)).toEqual([403, 403, 403]);
    }
    // These names are available for tables here.
    expect((await requestPath('/live')).status).toBe(404);
    if (kind === 'socket') expect(await modeOf(path)).toBe(0o660);
  });
});

/**
 * Returns the status of a request with this host name to a port of this machine; `fetch` would send the host of the
 * URL.
 */
function statusFor(host: string, port: string, path: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
}

describe('an unreachable database', () => {
  /** Forwards connections, and can simulate an outage. */
  class OutageProxy {
    readonly #sockets = new Set<Socket>();
    readonly #server = createServer((near) => {
      const far = connect(Number(new URL(database.url).port), HOST);
      for (const [socket, other] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#sockets.add(socket);
        socket.on('error', () => other.destroy());
        socket.on('close', () => other.destroy());
        socket.pipe(other);
      }
    });

    open(port: number): Promise<void> {
      return new Promise((done) => this.#server.listen(port, HOST, done));
    }

    async close(): Promise<void> {
      const closed = new Promise((done) => this.#server.close(done));
      for (const socket of this.#sockets) socket.destroy();
      this.#sockets.clear();
      await closed;
    }
  }

  it('is reported with 503, and requests succeed after its return', async () => {
    const port = await freePort();
    const adminPort = await freePort();
    const config = await readConfig({
      DATABASE_URL: loginUrl(port),
      PGRST_DB_ANON_ROLE: roles.visitor,
      PGRST_ADMIN_SERVER_PORT: String(adminPort),
    });
    const adminUrl = `http://127.0.0.1:${adminPort}`;
    running = await startStandalone('data', config);
    const health = () => requestAt(`${config.localUrl}/health`);
    const items = () => requestAt(`${config.localUrl}/rest/v1/items?select=id&order=id`);
    const proxy = new OutageProxy();
    try {
      expect(await health()).toEqual({
        status: 503,
        json: {
          status: 'unavailable',
          version: '0.1.0',
          parts: { database: 'unavailable', data: 'unavailable' },
        },
      });
      expect(await items()).toMatchObject({ status: 503, json: { code: 'PGRST002' } });
      expect(await requestAt(`${adminUrl}/live`)).toMatchObject({ status: 200 });
      expect(await requestAt(`${adminUrl}/ready`)).toMatchObject({ status: 503 });
      await proxy.open(port);
      await expect.poll(health, POLL).toMatchObject({ status: 200 });
      expect(await items()).toEqual({ status: 200, json: [{ id: 1 }, { id: 2 }] });
      await proxy.close();
      await expect.poll(items, POLL).toMatchObject({ status: 503, json: { code: 'PGRST000' } });
      expect(await health()).toMatchObject({
        status: 503,
        json: { parts: { database: 'unavailable', data: 'unavailable' } },
      });
      await proxy.open(port);
      await expect.poll(items, POLL).toMatchObject({ status: 200 });
      expect(await health()).toMatchObject({ status: 200 });
    } finally {
      await running.close();
      running = undefined;
      await proxy.close();
    }
  });
});
