/** Metadata by URL, from real TLS servers. */
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serviceOf } from '../../testing/admin.ts';
import { type AuthServer, startAuthServer } from '../../testing/auth-server.ts';
import {
  metadataOf,
  newRsaKey,
  startIdentityProvider,
  type TestIdentityProvider,
} from '../../testing/identity-provider.ts';
import { ACS_URL, begin, ENTITY_ID, samlEnv, submit } from '../../testing/single-sign-on.ts';
import { selfSignedCertificate } from './certificate.ts';
import { isStale } from './current-metadata.ts';
import { fetchMetadata } from './fetch-metadata.ts';

const key = newRsaKey();
const cert = selfSignedCertificate(key, 'localhost');
/** Path → response. */
const pages = new Map<
  string,
  () => { status?: number; headers?: Record<string, string>; body?: string } | 'nothing'
>();
const authorities = getCACertificates('default');
let visits = 0;
let tls: Server;
let url: string;
beforeAll(async () => {
  setDefaultCACertificates([...authorities, cert]);
  const options = { key: String(key.export({ type: 'pkcs8', format: 'pem' })), cert };
  tls = createServer(options, (request, response) => {
    visits += 1;
    const page = pages.get(request.url ?? '')?.() ?? { status: 404 };
    if (page !== 'nothing') response.writeHead(page.status ?? 200, page.headers).end(page.body);
  });
  await new Promise<void>((done) => tls.listen(0, done));
  url = `https://localhost:${(tls.address() as AddressInfo).port}`;
});
afterAll(() => {
  setDefaultCACertificates(authorities);
  tls.closeAllConnections();
  tls.close();
});

describe('fetchMetadata', () => {
  it('returns the response body', async () => {
    pages.set('/ok', () => ({ body: 'hello' }));
    expect(await fetchMetadata(`${url}/ok`, true)).toBe('hello');
  });

  it.each<[string, () => ReturnType<NonNullable<ReturnType<typeof pages.get>>>, string]>([
    ['a redirect', () => ({ status: 302, headers: { location: '/ok' } }), 'HTTP 302'],
    ['an error', () => ({ status: 500, body: 'secret' }), 'HTTP 500'],
    ['a long page', () => ({ body: 'x'.repeat(600_000) }), 'too long'],
    ['a server that does not respond', () => 'nothing', 'cannot be reached'],
  ])('rejects %s', { timeout: 10_000 }, async (_, page, reason) => {
    pages.set('/odd', page);
    const refusal = await fetchMetadata(`${url}/odd`, true).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'saml_metadata_fetch_failed', status: 400 });
    expect((refusal as Error).message).toContain(reason);
    expect((refusal as Error).message).not.toContain('secret');
  });

  it('rejects a certificate for another name', async () => {
    const { port } = tls.address() as AddressInfo;
    await expect(fetchMetadata(`https://127.0.0.1:${port}/ok`, true)).rejects.toThrow('cannot be reached');
  });

  it('sends no request to loopback addresses or names', async () => {
    const { port } = tls.address() as AddressInfo;
    const before = visits;
    for (const host of ['localhost', '127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0']) {
      await expect(fetchMetadata(`https://${host}:${port}/ok`, false), host).rejects.toThrow('not public');
    }
    expect(visits).toBe(before);
  });
});

describe('isStale', () => {
  const now = new Date('2026-06-01T00:00:00Z');
  const ago = (ms: number) => ({ metadata_at: new Date(now.getTime() - ms) });
  const hours = (count: number) => count * 3_600_000;
  const [past, future] = [new Date('2026-05-31T00:00:00Z'), new Date('2026-06-02T00:00:00Z')];

  it.each([
    ['true after a day without cache duration', {}, hours(25), true],
    ['false within a day without cache duration', {}, hours(23), false],
    ['true after validUntil', { validUntil: past }, hours(1), true],
    ['false within a minute of the last fetch', { validUntil: past }, 30_000, false],
    ['false before validUntil', { validUntil: future }, hours(1000), false],
    ['false within the cache duration', { cacheMs: hours(2) }, hours(1), false],
    ['true after the cache duration', { cacheMs: hours(2), validUntil: future }, hours(3), true],
  ])('%s', (_, { validUntil, cacheMs }: { validUntil?: Date; cacheMs?: number }, age, stale) => {
    expect(isStale({ validUntil, cacheMs }, ago(age), now)).toBe(stale);
  });
});

describe('a provider with metadata_url', () => {
  let server: AuthServer;
  let idp: TestIdentityProvider;
  let path: string;
  let id: string;
  beforeAll(async () => {
    server = await startAuthServer(samlEnv({ GREENROOM_SAML_PRIVATE_NETWORK: 'true' }));
    idp = await startIdentityProvider(`${server.url}/sso/saml/metadata`);
    pages.set('/idp', () => ({ body: idp.metadata }));
    const { call } = await serviceOf(server);
    const body = { type: 'saml', metadata_url: `${url}/idp` };
    const created = await call('POST', '/admin/sso/providers', body);
    expect(created.json.saml).toMatchObject({ metadata_url: `${url}/idp`, metadata_xml: idp.metadata });
    id = created.json.id;
    path = `/admin/sso/providers/${id}`;
  });
  afterAll(async () => {
    await idp.close();
    await server.close();
  });

  const age = (interval: string) =>
    server.database.admin.query({
      text: `update auth.saml_providers set updated_at = date_trunc('milliseconds', now()) - $1::interval`,
      values: [interval],
    });
  const respond = async (fields: object = {}) =>
    submit(server, new URLSearchParams({ SAMLResponse: await idp.respond(ACS_URL, ENTITY_ID, fields) }));

  it('has its new key fetched after a day', async () => {
    const next = newRsaKey();
    const renewed = metadataOf(idp.entityId, 'https://idp.test/new', selfSignedCertificate(next, 'idp.test'));
    pages.set('/idp', () => ({ body: renewed }));
    expect((await respond({ key: next })).status).toBe(303);
    await age('25 hours');
    expect((await respond({ key: next })).status).toBe(302);
    expect((await respond()).status).toBe(303);
    expect(await begin(server, { provider_id: id })).toContain('https://idp.test/new?');
    const { call } = await serviceOf(server);
    expect((await call('GET', path)).json.saml.metadata_xml).toBe(renewed);
    pages.set('/idp', () => ({ body: idp.metadata }));
    await age('25 hours');
    expect((await respond()).status).toBe(302);
  });

  it.each<[string, () => string]>([
    ['nothing', () => ''],
    [
      'metadata of another provider',
      () => metadataOf('https://other.test', 'https://other.test', idp.certificate),
    ],
    ['a body that is not XML', () => 'hello'],
  ])('keeps the stored metadata if the URL returns %s', async (_, body) => {
    pages.set('/idp', () => ({ body: body() }));
    await age('25 hours');
    expect((await respond()).status).toBe(302);
  });

  it('has its metadata fetched once for concurrent requests', async () => {
    pages.set('/idp', () => ({ body: idp.metadata }));
    await age('25 hours');
    const before = visits;
    const all = await Promise.all(Array.from({ length: 10 }, () => respond()));
    expect(all.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 302));
    expect(visits).toBe(before + 1);
  });

  it('cannot use a private URL unless configured', async () => {
    const strict = await startAuthServer(samlEnv(), server);
    const { call } = await serviceOf(strict);
    const body = { type: 'saml', metadata_url: `${url}/idp` };
    const refused = await call('POST', '/admin/sso/providers', body);
    expect([refused.status, refused.json.error_code]).toEqual([400, 'saml_metadata_fetch_failed']);
    await strict.close();
  });
});
