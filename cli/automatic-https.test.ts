/** `start --https`: certificates of a real authority, plain HTTP next to HTTPS, and wrong input. */
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, rmdir, stat } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer, request as requestHttps, type Server } from 'node:https';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { connect, type PeerCertificate, type TLSSocket } from 'node:tls';
import { startTestAuthority, type TestAuthority, WITHOUT_PEBBLE } from '@greenroom/acme/testing';
import { readInstanceRecord } from '@greenroom/data-folder';
import { freePort } from '@greenroom/testing/free-port';
import { createPinnedFetch } from '@greenroom/tls';
import { createTestCertificate } from '@greenroom/tls/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createProjectInstance } from './testing/project-instance.ts';

const START = ['start', '--services', 'auth', '--https', 'example.org', '--https', 'WWW.example.org'];
/** The level of Pino. */
const ERROR = 50;
/** Renewed after ten seconds. */
const VALID_SECONDS = 15;

const certificate = createTestCertificate();
let project: Awaited<ReturnType<typeof createProjectInstance>>;
let ports: { https: number; http: number; authority: number };
let env: Record<string, string>;

beforeAll(async () => {
  project = await createProjectInstance({ 'config.toml': '' });
  await project.write('../authority.pem', certificate.cert);
  ports = { https: await freePort(), http: await freePort(), authority: await freePort() };
  env = {
    LOG_LEVEL: 'info',
    GREENROOM_HTTPS_HOST: '127.0.0.1',
    GREENROOM_HTTPS_PORT: String(ports.https),
    GREENROOM_HTTP_PORT: String(ports.http),
    GREENROOM_ACME_DIRECTORY: `https://127.0.0.1:${ports.authority}/dir`,
    GREENROOM_ACME_CA: join(project.folder, 'authority.pem'),
  };
});
afterAll(() => project[Symbol.asyncDispose]());

/** Sends a request to plain HTTP, as if to a host name. */
async function sendPlain(path: string, { host = 'example.org', method = 'GET' } = {}) {
  const sent = request({ port: ports.http, host: '127.0.0.1', method, path, headers: { host } }).end();
  const [response] = await once(sent, 'response');
  response.resume();
  return { status: response.statusCode as number, location: response.headers.location as string };
}

/** Opens a connection to HTTPS; the caller decides about its certificate. */
async function connectTo(servername = 'example.org'): Promise<TLSSocket> {
  const socket = connect({ port: ports.https, host: '127.0.0.1', servername, rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  return socket;
}

async function servedCertificate(): Promise<PeerCertificate> {
  const socket = await connectTo();
  const served = socket.getPeerCertificate();
  socket.destroy();
  return served;
}

describe('wrong input', () => {
  it('stops the start', async () => {
    const { code, errors } = await project.run(['start', '--https', '*.example.org'], { env });
    expect([code, errors]).toEqual([
      1,
      expect.stringContaining(
        'command line: GREENROOM_HTTPS_DOMAINS="*.example.org" is not allowed. Allowed: host names such as example.org, ',
      ),
    ]);
  });

  it.each(['GREENROOM_HTTPS_PORT', 'GREENROOM_HTTP_PORT'])('stops the start if %s is taken', async (name) => {
    const server = createServer(certificate, (_request, response) => response.end());
    await new Promise<void>((resolve) => server.listen(Number(env[name]), '127.0.0.1', resolve));
    const { code, errors } = await project.run(START, { env });
    expect([code, errors]).toEqual([
      1,
      expect.stringMatching(
        `port ${env[name]} is already in use on 127.0.0.1 by .*, or set ${name} to another port`,
      ),
    ]);
    server.close().closeAllConnections();
  });

  it('stops the start of a service that runs alone', async () => {
    const { errors } = await project.run(['start', '--services', 'data', '--https', 'example.org']);
    expect(errors).toContain('--https starts whole instances; --services data runs alone.');
  });
});

describe.skipIf(WITHOUT_PEBBLE)(
  'an instance with --https',
  () => {
    let server: ReturnType<typeof project.spawn>;
    let failing: Server;
    let authority: TestAuthority;
    /** Status with which the authority responds; undefined: it does not respond. */
    let status: number | undefined;
    const requests: string[] = [];
    /** A folder at the path of the temporary file of the certificate, which can then not be stored. */
    let unwritable: string;

    const folder = () => join(project.folder, '.greenroom/https', `127.0.0.1-${ports.authority}-dir`);
    /** Sends a request to the instance, and does not check its certificate. */
    async function health(): Promise<Record<string, unknown>> {
      const target = { port: ports.https, host: '127.0.0.1', path: '/health', rejectUnauthorized: false };
      const [response] = await once(requestHttps({ ...target, agent: false }).end(), 'response');
      return (await json(response)) as Record<string, unknown>;
    }

    beforeAll(async () => {
      failing = createServer(certificate, ({ url }, response) => {
        requests.push(url ?? '');
        if (status !== undefined) response.writeHead(status).end();
      });
      await new Promise<void>((resolve) => failing.listen(ports.authority, '127.0.0.1', resolve));
    });
    afterAll(async () => {
      await project.stop();
      await authority?.stop();
    });

    it('starts with a self-signed certificate, and can be killed during an order', async () => {
      server = project.spawn(START, { env });
      const printed = await server.waitFor(/^ready /m);
      expect(printed).toContain('  API         https://example.org\n');
      expect(printed).toContain(
        `  certificate example.org, www.example.org: of 127.0.0.1:${ports.authority}, in ${folder()} (self-signed until it arrives)\n`,
      );
      await expect.poll(() => requests).toEqual(['/dir']);
      expect((await stat(join(folder(), 'account-key.pem'))).mode & 0o777).toBe(0o600);
      const exited = once(server.child, 'exit');
      server.child.kill('SIGKILL');
      await exited;
    });

    it('reports an authority that fails, and serves meanwhile', async () => {
      status = 500;
      const account = await readFile(join(folder(), 'account-key.pem'), 'utf8');
      server = project.spawn(START, { env });
      const printed = await server.waitFor(/no certificate was obtained/);
      const line = printed.split('\n').find((text) => text.includes('no certificate was obtained')) ?? '';
      expect(JSON.parse(line)).toMatchObject({
        level: ERROR,
        domains: ['example.org', 'www.example.org'],
        reason: `https://127.0.0.1:${ports.authority}/dir has responded with status 500`,
        // The order during which the process was killed counts.
        retryInSeconds: 240,
      });
      expect(await health()).toMatchObject({ status: 'ok', certificate: { selfSigned: true } });
      expect(await readFile(join(folder(), 'account-key.pem'), 'utf8')).toBe(account);
    });

    it('obtains a certificate of all names after a signal, without a restart', async () => {
      await new Promise((resolve) => failing.close(resolve).closeAllConnections());
      authority = await startTestAuthority({
        httpPort: ports.http,
        port: ports.authority,
        certificate,
        validSeconds: VALID_SECONDS,
      });
      const { pid } = (await readInstanceRecord(join(project.folder, '.greenroom'))) ?? {};
      unwritable = join(folder(), `certificate.pem.${pid}.partial`);
      await mkdir(unwritable);
      server.child.kill('SIGHUP');
      await server.waitFor(/a certificate has been obtained/);
      const { subjectaltname } = await servedCertificate();
      expect(subjectaltname).toBe('DNS:example.org, DNS:www.example.org');
      expect(await health()).toMatchObject({
        certificate: { expires: expect.stringMatching(/Z$/), selfSigned: false },
      });
    });

    it('keeps serving a certificate that could not be stored, and stores it after a signal', async () => {
      await server.waitFor(/the certificate in use could not be stored/);
      server.child.kill('SIGHUP');
      await server.waitFor(/the certificate in use could not be stored[\s\S]*could not be stored/);
      expect(await health()).toMatchObject({ certificate: { selfSigned: false } });
      await rmdir(unwritable);
      server.child.kill('SIGHUP');
      const mode = async () => (await stat(join(folder(), 'certificate.pem')).catch(() => undefined))?.mode;
      await expect.poll(async () => ((await mode()) ?? 0) & 0o777).toBe(0o600);
    });

    it('redirects plain HTTP to the same path of a known name', async () => {
      expect([
        await sendPlain('/a/b?c=1'),
        await sendPlain('/', { host: `www.example.org:${ports.http}`, method: 'POST' }),
        await sendPlain('//other.example/', { host: 'other.example' }),
        await sendPlain('http://other.example/x'),
        await sendPlain('/.well-known/acme-challenge/unknown'),
      ]).toEqual([
        { status: 308, location: 'https://example.org/a/b?c=1' },
        { status: 308, location: 'https://www.example.org/' },
        { status: 308, location: 'https://example.org//other.example/' },
        { status: 308, location: 'https://example.org/x' },
        { status: 404, location: undefined },
      ]);
    });

    it('renews the certificate, and keeps open connections', async () => {
      const before = await servedCertificate();
      const open = await connectTo();
      await expect
        .poll(async () => (await servedCertificate()).serialNumber, { timeout: 20_000 })
        .not.toBe(before.serialNumber);
      open.write('GET /health/live HTTP/1.1\r\nhost: example.org\r\n\r\n');
      const [response] = await once(open, 'data');
      expect(String(response)).toMatch(/^HTTP\/1.1 200 /);
      expect(open.getPeerCertificate().serialNumber).toBe(before.serialNumber);
      open.destroy();
    });

    const readRecordAndMetrics = async () => {
      const record = await readInstanceRecord(join(project.folder, '.greenroom'));
      const { apiUrl = '', certificate: recorded = '', credentials } = record ?? {};
      const send = createPinnedFetch(apiUrl, () => recorded);
      const headers = { apikey: credentials?.apiKeys.serviceRole ?? '' };
      const metrics = await (await send(`${apiUrl}/metrics`, { headers })).text();
      return { recorded, metrics };
    };

    it('records its certificate for commands, and reports it in /metrics', async () => {
      // Fails while the certificate is being renewed, which happens every ten seconds.
      const { recorded, metrics } = await vi.waitFor(readRecordAndMetrics, { timeout: 20_000 });
      const end = new X509Certificate(recorded).validToDate.getTime() / 1000;
      expect(metrics).toContain(`\ngreenroom_certificate_expiry_timestamp_seconds ${end}\n`);
      expect(metrics).toMatch(/\ngreenroom_certificate_orders_total\{outcome="success"\} [1-9]/);
      expect(metrics).toContain('\ngreenroom_certificate_orders_total{outcome="failure"} 1\n');
    });
  },
  60_000,
);
