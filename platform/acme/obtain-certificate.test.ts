/** Orders at a real authority, which checks the names over HTTP. */
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createTestCertificate } from '@greenroom/tls/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AcmeError } from './errors.ts';
import { type Challenges, type OrderOptions, obtainCertificate } from './obtain-certificate.ts';
import { startTestAuthority, type TestAuthority, WITHOUT_PEBBLE } from './testing/index.ts';

const PREFIX = '/.well-known/acme-challenge/';
const { privateKey: accountKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const challenges: Challenges = new Map();
const servers: Server[] = [];

/** Starts a server on a free port, which it returns. */
async function listen(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

afterAll(() => {
  for (const server of servers) server.close().closeAllConnections();
});

const optionsOf = (
  authority: Pick<TestAuthority, 'directory' | 'authorities'>,
  changes: Partial<OrderOptions> = {},
): OrderOptions => ({
  directory: authority.directory,
  authorities: authority.authorities,
  domains: ['example.org', 'www.example.org'],
  accountKey,
  email: 'ada@example.org',
  challenges,
  userAgent: 'test',
  signal: new AbortController().signal,
  ...changes,
});

describe.skipIf(WITHOUT_PEBBLE)('with Pebble', () => {
  let authority: TestAuthority;
  /** Changes the response to a challenge. */
  let respond = (response: string | undefined) => response;

  beforeAll(async () => {
    const answer: RequestListener = ({ url = '' }, response) => {
      const text = respond(challenges.get(url.slice(PREFIX.length)));
      response.statusCode = text === undefined ? 404 : 200;
      response.end(text);
    };
    authority = await startTestAuthority({ httpPort: await listen(createServer(answer)) });
  });
  afterAll(() => authority.stop());

  it('obtains a certificate of all names with a new key, and forgets the challenges', async () => {
    const first = await obtainCertificate(optionsOf(authority));
    const second = await obtainCertificate(optionsOf(authority));
    const certificate = new X509Certificate(first.cert);
    expect(certificate.subjectAltName).toBe('DNS:example.org, DNS:www.example.org');
    expect(first.cert.match(/BEGIN CERTIFICATE/g)?.length).toBeGreaterThan(1);
    expect(second.key).not.toBe(first.key);
    expect(challenges.size).toBe(0);
  });

  it.each([
    [
      'a wrong response',
      () => 'wrong',
      /^the check of (www\.)?new\.example\.org has failed: .*\(unauthorized\)$/,
    ],
    ['no response', () => undefined, /^the check of (www\.)?new\.example\.org has failed: .*404/],
  ])('reports the reason of the authority after %s', async (_, wrong, message) => {
    respond = wrong;
    const domains = ['new.example.org', 'www.new.example.org'];
    const outcome = obtainCertificate(optionsOf(authority, { domains }));
    await expect(outcome).rejects.toThrow(message);
    await expect(outcome).rejects.toBeInstanceOf(AcmeError);
    respond = (response) => response;
    expect(challenges.size).toBe(0);
  });

  it('rejects a name that the authority does not accept', async () => {
    const outcome = obtainCertificate(optionsOf(authority, { domains: ['example.org', 'a_b.example.org'] }));
    await expect(outcome).rejects.toThrow(/has refused a request: .*illegal character.*\(malformed\)$/);
  });

  it('verifies the certificate of the authority', async () => {
    const other = createTestCertificate().cert;
    const outcome = obtainCertificate(optionsOf(authority, { authorities: other }));
    await expect(outcome).rejects.toThrow(
      `${new URL(authority.directory).origin} cannot be reached: self-signed certificate`,
    );
  });

  it('rejects with the reason of an aborted signal', async () => {
    const signal = AbortSignal.abort(new Error('the server stops'));
    await expect(obtainCertificate(optionsOf(authority, { signal }))).rejects.toThrow('the server stops');
  });
});

describe('an authority that fails', () => {
  const certificate = createTestCertificate();
  let directory: string;
  let answer: { status: number; body: string; headers?: Record<string, string> };

  beforeAll(async () => {
    const server = createHttpsServer(certificate, (_request, response) =>
      response.writeHead(answer.status, answer.headers).end(answer.body),
    );
    directory = `https://127.0.0.1:${await listen(server)}/directory`;
  });

  it.each([
    ['a status', { status: 500, body: 'out of order' }, '/directory has responded with status 500'],
    [
      'another page',
      { status: 200, body: '<html>' },
      '/directory is no directory of an authority (RFC 8555 section 7.1.1)',
    ],
    [
      'a URL without encryption',
      { status: 200, body: '{"newNonce":"http://127.0.0.1/a","newAccount":"b","newOrder":"c"}' },
      'the authority has sent the URL http://127.0.0.1/a, which is not https://',
    ],
    ['a long response', { status: 200, body: 'x'.repeat(300_000) }, 'cannot be reached: '],
  ])('is reported: %s', async (_, response, message) => {
    answer = response;
    const outcome = obtainCertificate(optionsOf({ directory, authorities: certificate.cert }));
    await expect(outcome).rejects.toThrow(message);
  });

  it('is reported with the pause that it demands', async () => {
    answer = { status: 503, body: '', headers: { 'retry-after': '120' } };
    const outcome = obtainCertificate(optionsOf({ directory, authorities: certificate.cert }));
    await expect(outcome).rejects.toMatchObject({ retryAfterMs: 120_000 });
  });
});
