/** Names whose address changes between two questions (DNS rebinding): Deno connects to the address that it has checked. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { findDeno } from './runtime/deno-program.ts';
import { permissionArguments } from './runtime/permissions.ts';
import { startNameServer } from './testing/name-server.ts';

const run = promisify(execFile);
const NAME_SERVER = '127.53.53.1';
/** Stands for a public address. */
const ALLOWED = '127.53.53.2';
const DENIED = '127.0.0.1';

const SCRIPT = `
  import http from 'node:http';
  import net from 'node:net';
  const hostname = 'rebinding.example.com';
  const port = Number(Deno.args[0]);
  const url = 'http://' + hostname + ':' + port;
  const attempts = [
    () => Deno.connect({ hostname, port }),
    () => Deno.connectTls({ hostname, port }),
    () => fetch(url),
    () => new Promise((resolve) => { new WebSocket(url.replace('http', 'ws')).onerror = resolve; }),
    () => new Promise((resolve, reject) => net.connect(port, hostname).on('close', resolve).on('error', reject)),
    () => new Promise((resolve, reject) => http.get(url, resolve).on('error', reject)),
  ];
  for (let n = 0; n < 3; n += 1) for (const attempt of attempts) await attempt().catch(() => {});
  Deno.exit();
`;

/** Counts the connections to an address. */
async function listenOn(host: string, port: number) {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  }).listen(port, host);
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port, count: () => connections };
}

const canChangeNames = process.platform === 'linux' && process.getuid?.() === 0;

it.runIf(canChangeNames)('a name that changes to a denied address is not followed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'greenroom-rebinding-'));
  const [script, resolver] = [join(folder, 'attempts.ts'), join(folder, 'resolv.conf')];
  await writeFile(script, SCRIPT);
  await writeFile(resolver, `nameserver ${NAME_SERVER}\n`);
  await using _names = await startNameServer(NAME_SERVER, [ALLOWED, DENIED]);
  const denied = await listenOn(DENIED, 0);
  const allowed = await listenOn(ALLOWED, denied.port);
  const permissions = permissionArguments({
    read: [folder],
    write: [folder],
    privateNetworks: [ALLOWED],
    callsLibraries: false,
  });
  // The name server of the system is replaced for this process only.
  const mount = 'mount --bind "$1" /etc/resolv.conf && shift && exec "$@"';
  const deno = [
    findDeno() ?? '',
    'run',
    '--quiet',
    '--no-config',
    ...permissions,
    script,
    String(denied.port),
  ];
  await run('unshare', ['--mount', 'sh', '-c', mount, 'sh', resolver, ...deno], {
    env: { PATH: process.env.PATH, DENO_DIR: join(folder, 'deno'), DENO_NO_UPDATE_CHECK: '1' },
  });
  expect(allowed.count()).toBeGreaterThan(0);
  expect(denied.count()).toBe(0);
  for (const { server } of [allowed, denied]) server.close();
  await rm(folder, { recursive: true });
});
