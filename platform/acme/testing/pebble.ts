/**
 * A separate authority: Pebble, the test server of Let's Encrypt, with a DNS server that resolves all names to this
 * machine. It connects to the server of each name to check it.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { canConnect } from '@greenroom/testing/can-connect';
import { freePort } from '@greenroom/testing/free-port';
import { createPinnedFetch, type ServerCertificate } from '@greenroom/tls';
import { createTestCertificate } from '@greenroom/tls/testing';

const PROGRAM = 'pebble';
const DNS_PROGRAM = 'pebble-challtestsrv';
const START_TIMEOUT_MS = 10_000;
const INTERVAL_MS = 20;
const NO_SUCH_FILE = 'ENOENT';

/** The reason why tests with Pebble are skipped; undefined if they are not. */
export const WITHOUT_PEBBLE = [PROGRAM, DNS_PROGRAM].some((program) => isMissing(program))
  ? `${PROGRAM} is not installed`
  : undefined;

/** A running authority. */
export interface TestAuthority {
  directory: string;
  /** Path of the certificate that verifies the directory. */
  authoritiesFile: string;
  /** The same certificate in PEM. */
  authorities: string;
  /** Returns the root certificate of issued certificates, in PEM. */
  root(): Promise<string>;
  stop(): Promise<void>;
}

/** Options of {@link startTestAuthority}. */
interface AuthorityOptions {
  /** Port of plain HTTP to which the authority connects, instead of 80. */
  httpPort: number;
  /** Port of the directory. Default: a free one. */
  port?: number;
  /** Certificate of the directory. Default: a new one. */
  certificate?: ServerCertificate;
  /** Lifetime of certificates. Default: that of Pebble, five years. */
  validSeconds?: number;
}

/** Starts an authority on free ports. Its certificates and accounts end with it. */
export async function startTestAuthority(options: AuthorityOptions): Promise<TestAuthority> {
  const { httpPort, validSeconds, certificate: { cert, key } = createTestCertificate() } = options;
  const folder = await mkdtemp(join(tmpdir(), 'greenroom-pebble-'));
  const port = options.port ?? (await freePort());
  const [managementPort, dnsPort, dnsManagementPort] = [await freePort(), await freePort(), await freePort()];
  const path = (name: string) => join(folder, name);
  const pebble = {
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: `127.0.0.1:${managementPort}`,
    certificate: path('cert.pem'),
    privateKey: path('key.pem'),
    httpPort,
    tlsPort: 1,
    ocspResponderURL: '',
    externalAccountBindingRequired: false,
    ...(validSeconds !== undefined && { certificateValidityPeriod: validSeconds }),
  };
  await writeFile(path('cert.pem'), cert);
  await writeFile(path('key.pem'), key);
  await writeFile(path('pebble.json'), JSON.stringify({ pebble }));
  const dns = [
    ['-dns01', `127.0.0.1:${dnsPort}`],
    ['-management', `127.0.0.1:${dnsManagementPort}`],
    ['-defaultIPv6', ''],
    ['-http01', ''],
    ['-https01', ''],
    ['-tlsalpn01', ''],
  ].flat();
  const children = [
    spawn(DNS_PROGRAM, dns, { stdio: 'ignore' }),
    spawn(PROGRAM, ['-config', path('pebble.json'), '-dnsserver', `127.0.0.1:${dnsPort}`], {
      stdio: 'ignore',
      env: { ...process.env, PEBBLE_VA_NOSLEEP: '1' },
    }),
  ];
  for (const listening of [port, managementPort, dnsPort]) await waitUntilListening(listening, children);
  const managementUrl = `https://127.0.0.1:${managementPort}`;
  const manage = createPinnedFetch(managementUrl, () => cert);
  return {
    directory: `https://127.0.0.1:${port}/dir`,
    authoritiesFile: path('cert.pem'),
    authorities: cert,
    root: async () => (await manage(`${managementUrl}/roots/0`)).text(),
    async stop() {
      await Promise.all(children.map(end));
      await rm(folder, { recursive: true });
    },
  };
}

function isMissing(program: string): boolean {
  const { error } = spawnSync(program, ['-h'], { stdio: 'ignore' });
  return (error as NodeJS.ErrnoException | undefined)?.code === NO_SUCH_FILE;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

async function waitUntilListening(port: number, children: readonly ChildProcess[]): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!(await canConnect(port))) {
    const ended = children.find(({ exitCode }) => exitCode !== null);
    if (ended !== undefined || Date.now() > deadline) throw new Error('the test authority did not start');
    await sleep(INTERVAL_MS);
  }
}
