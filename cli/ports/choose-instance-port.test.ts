import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import type { InstanceEntry } from '@greenroom/instances';
import { freePort } from '@greenroom/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chooseInstancePort, PortInUseError } from './choose-instance-port.ts';
import type { PortRequest } from './port-request.ts';

const host = '127.0.0.1';
const NOBODY = 65_534;
const PRIVILEGED_PORT = 1023;
const HEALTH = { status: 'unavailable', version: '0.1.0', parts: { database: 'unavailable' } };

/** Servers of other programs, by the body of their responses. */
const servers: Server[] = [];
/** Port of a program that is not Greenroom. */
let foreign: number;
/** Port of an instance that is not in the registry. */
let unlisted: number;

/** Whether this process can become a user who may not listen on all ports. */
function hasPrivilegedPorts(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  return Number(readFileSync('/proc/sys/net/ipv4/ip_unprivileged_port_start', 'utf8')) > PRIVILEGED_PORT;
}

async function serve(body: unknown): Promise<number> {
  const server = createServer((_request, response) => response.end(JSON.stringify(body)));
  servers.push(server);
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  return port;
}

beforeAll(async () => {
  foreign = await serve({ ...HEALTH, parts: {} });
  unlisted = await serve(HEALTH);
});
afterAll(() => Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve)))));

const requestOf = (port: number, changes: Partial<PortRequest> = {}): PortRequest => ({
  setting: 'PORT',
  name: 'api.port in supabase/config.toml',
  host,
  port,
  configured: port,
  configuredText: String(port),
  yieldsTo: 'instances',
  ...changes,
});
const entryOf = (changes: Partial<InstanceEntry>): InstanceEntry => ({
  dataFolder: '/srv/a/.greenroom',
  project: { name: 'a', folder: '/srv/a' },
  pid: 4711,
  startedAt: '2026-01-01T00:00:00Z',
  isReady: false,
  host,
  ...changes,
});
const choose = (request: PortRequest, others: InstanceEntry[] = [], reserved: number[] = []) =>
  chooseInstancePort(request, { others, reserved });

describe('chooseInstancePort', () => {
  it('returns a free port, and any free port for 0', async () => {
    const port = await freePort();
    expect(await choose(requestOf(port))).toEqual({ port, holder: undefined });
    expect((await choose(requestOf(0))).port).toBeGreaterThan(1023);
  });

  it.each([
    ['that an instance has chosen and does not listen on yet', () => [entryOf({ port: 20_000 })]],
    ['of the database of an instance', () => [entryOf({ databasePort: 20_000 })]],
    ['of the mailbox of an instance', () => [entryOf({ mailboxPorts: [20_009, 20_000] })]],
    ['on all addresses', () => [entryOf({ port: 20_000, host: '0.0.0.0' })]],
  ])('replaces a port %s', async (_, others) => {
    const { port, holder } = await choose(requestOf(20_000), others(), [20_001]);
    expect(port).toBeGreaterThan(20_001);
    expect(holder).toEqual({
      isInstance: true,
      description: 'the Greenroom instance of /srv/a (pid 4711)',
    });
  });

  it('does not replace a port by one that another instance has chosen', async () => {
    const others = [entryOf({ port: 20_000, databasePort: 20_001 }), entryOf({ port: 20_002 })];
    expect((await choose(requestOf(20_000), others)).port).toBeGreaterThan(20_002);
  });

  it('shares a port with an instance on another address', async () => {
    const port = await freePort();
    expect(await choose(requestOf(port), [entryOf({ port, host: '127.0.0.2' })])).toMatchObject({ port });
  });

  it('replaces the port of an instance that is not in the registry', async () => {
    const { port, holder } = await choose(requestOf(unlisted));
    expect(port).toBeGreaterThan(unlisted);
    expect(holder?.description).toMatch(/^a Greenroom instance, node \(pid \d+\)$/);
  });

  it.each(['220 localhost ESMTP Greenroom\r\n', '+OK Greenroom\r\n'])(
    'replaces the port of a mailbox that greets with %j',
    async (greeting) => {
      const server = createTcpServer((socket) =>
        socket
          .on('error', () => undefined)
          .resume()
          .end(greeting),
      );
      const port = await freePort();
      await new Promise<void>((resolve) => server.listen(port, host, resolve));
      const { holder } = await choose(requestOf(port));
      await new Promise((resolve) => server.close(resolve));
      expect(holder?.isInstance).toBe(true);
    },
  );

  it('rejects the port of another program', async () => {
    await expect(choose(requestOf(foreign))).rejects.toBeInstanceOf(PortInUseError);
    await expect(choose(requestOf(foreign))).rejects.toThrow(
      process.platform === 'linux'
        ? `port ${foreign} is already in use on ${host} by node (pid ${process.pid}). Stop it, or set api.port in supabase/config.toml to another port.`
        : `port ${foreign} is already in use on ${host} by another process. Stop it, or set`,
    );
  });

  it.skipIf(!hasPrivilegedPorts())('names the privilege that a port needs', async () => {
    process.seteuid?.(NOBODY);
    try {
      await expect(choose(requestOf(PRIVILEGED_PORT, { name: 'GREENROOM_HTTP_PORT' }))).rejects.toThrow(
        `port ${PRIVILEGED_PORT} needs a privilege that this user does not have. Grant it (systemd: AmbientCapabilities=CAP_NET_BIND_SERVICE), or set GREENROOM_HTTP_PORT to a port from 1024 and forward port ${PRIVILEGED_PORT} to it.`,
      );
    } finally {
      process.seteuid?.(0);
    }
  });

  it('replaces the port of another program if any holder may have it', async () => {
    expect((await choose(requestOf(foreign, { yieldsTo: 'all' }))).port).toBeGreaterThan(foreign);
  });

  it.each([
    [
      'an instance',
      () => choose(requestOf(20_000, FIXED), [entryOf({ port: 20_000 })]),
      'of /srv/a (pid 4711)',
    ],
    ['another program', () => choose(requestOf(foreign, FIXED)), `is already in use on ${host} by `],
  ])('rejects a port that the user has set and that %s holds', async (_, choice, message) => {
    await expect(choice()).rejects.toThrow(message);
    await expect(choice()).rejects.toThrow('Set PORT to another port, or to 0 for any free port.');
  });

  it('returns to the configured port if another program holds the remembered one', async () => {
    const configured = await freePort();
    const { port, holder } = await choose(requestOf(foreign, { configured }));
    expect(port).toBe(configured);
    expect(holder?.isInstance).toBe(false);
  });
});

const FIXED = { name: 'PORT', yieldsTo: 'none' } as const;
