/** A whole instance with HTTPS, and the official client over it. */
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type ClientHttp2Session, connect } from 'node:http2';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { readInstanceRecord } from '@greenroom/data-folder';
import { openDatabase } from '@greenroom/postgres';
import { sendHandshake } from '@greenroom/testing';
import { createPinnedFetch, SELF_SIGNED_FILES } from '@greenroom/tls';
import { createTestCertificate } from '@greenroom/tls/testing';
import type { RealtimeChannel } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OfficialInstance, startOfficialInstance } from './testing/official-instance.ts';

const HAS_IPV6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === '::1'),
);
const authorities = getCACertificates('default');
const DAY_MS = 86_400_000;
let instance: OfficialInstance;
let dataFolder: string;
let certificate: string;

beforeAll(async () => {
  instance = await startOfficialInstance({
    GREENROOM_TLS_ENABLED: 'true',
    ...(HAS_IPV6 && { GREENROOM_REALTIME_IP_VERSION: 'IPv6' }),
    GREENROOM_REALTIME_MAX_HEADER_LENGTH: '2000',
  });
  dataFolder = instance.source.GREENROOM_DATA_DIR ?? '';
  certificate = (await readInstanceRecord(dataFolder))?.certificate ?? '';
  // As NODE_EXTRA_CA_CERTS does at the start of a process.
  setDefaultCACertificates([...authorities, certificate]);
});
afterAll(async () => {
  await instance.close();
  setDefaultCACertificates([...authorities]);
});

function subscribed(channel: RealtimeChannel): Promise<string> {
  return new Promise((resolve) => channel.subscribe((status) => resolve(status)));
}

describe('the official client', () => {
  it('signs up, writes rows and files, and receives broadcasts', async () => {
    const { url } = instance.greenroom;
    expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    const { client, id } = await instance.signedIn();
    expect((await client.auth.getUser()).data.user?.id).toBe(id);
    expect((await client.from('notes').select()).error).toBeNull();
    const service = instance.service();
    await service.storage.createBucket('https', { public: true });
    const bucket = service.storage.from('https');
    expect((await bucket.upload('a.txt', 'content')).error).toBeNull();
    const { publicUrl } = bucket.getPublicUrl('a.txt').data;
    expect(publicUrl.startsWith(`${url}/storage/v1/`)).toBe(true);
    expect(await (await fetch(publicUrl)).text()).toBe('content');

    const received = Promise.withResolvers<unknown>();
    const channel = client.channel('news', { config: { broadcast: { self: true } } });
    channel.on('broadcast', { event: 'greeting' }, ({ payload }) => received.resolve(payload));
    expect(await subscribed(channel)).toBe('SUBSCRIBED');
    await channel.send({ type: 'broadcast', event: 'greeting', payload: { hello: 1 } });
    expect(await received.promise).toEqual({ hello: 1 });
    await client.removeAllChannels();
  });

  it('gets links to https:// URLs in mails', async () => {
    const { email } = instance.newPerson();
    const { data } = await instance.service().auth.admin.generateLink({ type: 'invite', email });
    expect(data.properties?.action_link).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/auth\/v1\/verify\?/);
    expect(new URL(data.properties?.redirect_to ?? '').protocol).toBe('https:');
  });
});

describe('HTTP/2', () => {
  /** Sends a request, and resolves with status and body. */
  async function send(
    session: ClientHttp2Session,
    line: string,
    headers: Record<string, string>,
    body?: Buffer,
  ) {
    const [method, path] = line.split(' ');
    const stream = session.request({ ':method': method, ':path': path, ...headers });
    stream.end(body);
    const [received] = await once(stream, 'response');
    return { status: received[':status'] as number, body: await text(stream) };
  }

  it('reaches auth, data and storage over one connection', async () => {
    const { id, session: account } = await instance.signedIn();
    const service = instance.service();
    await service.storage.createBucket('http2', { public: true });
    const { anon = '', serviceRole = '' } = instance.greenroom.backend?.apiKeys ?? {};
    const session = connect(instance.greenroom.url, { ca: certificate });
    const user = { apikey: anon, authorization: `Bearer ${account.access_token}` };
    const admin = { apikey: serviceRole, authorization: `Bearer ${serviceRole}` };
    const content = Buffer.alloc(2 * 1024 * 1024, 'x');
    const [found, notes, uploaded] = await Promise.all([
      send(session, 'GET /auth/v1/user', user),
      send(session, 'GET /rest/v1/notes?select=id', user),
      send(
        session,
        'POST /storage/v1/object/http2/a.txt',
        { ...admin, 'content-type': 'text/plain' },
        content,
      ),
    ]);
    expect([found.status, JSON.parse(found.body).id]).toEqual([200, id]);
    expect(notes).toEqual({ status: 200, body: '[]' });
    expect(uploaded.status).toBe(200);
    const downloaded = await send(session, 'GET /storage/v1/object/public/http2/a.txt', {});
    expect(downloaded).toEqual({ status: 200, body: content.toString() });
    session.close();
  });
});

it('HTTP requests of SQL reach the API over its own certificate', async () => {
  const { databaseUrl = '', apiKeys } = instance.greenroom.backend ?? {};
  const database = openDatabase({ url: databaseUrl, max: 1, applicationName: 'test' });
  try {
    await database.query({
      text: `select net.http_get('http://kong:8000/auth/v1/health', headers := $1)`,
      values: [JSON.stringify({ apikey: apiKeys?.anon })],
    });
    const read = () => database.query({ text: 'select status_code, error_msg from net._http_response' });
    await expect.poll(read).toEqual([{ status_code: 200, error_msg: null }]);
  } finally {
    await database.close();
  }
});

describe('realtime', () => {
  it.runIf(HAS_IPV6)('accepts connections on ::1 with ip_version = IPv6', async () => {
    const { port } = new URL(instance.greenroom.url);
    const key = instance.greenroom.backend?.apiKeys.anon;
    const socket = new WebSocket(`wss://[::1]:${port}/realtime/v1/websocket?apikey=${key}`);
    const outcome = await new Promise((resolve) => {
      socket.addEventListener('open', () => resolve('open'));
      socket.addEventListener('error', () => resolve('error'));
    });
    expect(outcome).toBe('open');
    socket.close();
  });

  it.each([
    ['x-client-info', 2001, 431],
    ['authorization', 2001, 431],
    ['x-client-info', 2000, 101],
    ['cookie', 8000, 101],
  ])('with max_header_length = 2000 responds to %s of %i bytes with %i', async (name, length, status) => {
    expect(await handshake({ [name]: 'a'.repeat(length) })).toEqual(
      status === 101
        ? [101]
        : [431, 'close', { message: 'The headers are too large', code: 'headers_too_large' }],
    );
  });
});

/** Returns the status of a handshake; if it is rejected, also the header `connection` and the body. */
async function handshake(added: Record<string, string>): Promise<unknown[]> {
  const { url, backend } = instance.greenroom;
  const target = `${url}/realtime/v1/websocket?apikey=${backend?.apiKeys.anon}`;
  const { status, headers, body } = await sendHandshake(target, added);
  return status === 101 ? [status] : [status, headers.connection, JSON.parse(body)];
}

describe('a reload', () => {
  /** Whether new connections get this certificate. */
  const isServed = (pem: string) => {
    const { url } = instance.greenroom;
    const send = createPinnedFetch(url, () => pem);
    return send(`${url}/health`).then(
      ({ status }) => status === 200,
      () => false,
    );
  };

  it('replaces the certificate of new connections', async () => {
    const renewed = createTestCertificate({ validMs: 100 * DAY_MS });
    await writeFile(join(dataFolder, SELF_SIGNED_FILES.cert), renewed.cert);
    await writeFile(join(dataFolder, SELF_SIGNED_FILES.key), renewed.key);
    await instance.greenroom.applySettings(instance.source);
    expect([await isServed(renewed.cert), await isServed(certificate)]).toEqual([true, false]);
    expect((await readInstanceRecord(dataFolder))?.certificate).toBe(renewed.cert);
  });

  it('does not disable HTTPS, and uses no other files', async () => {
    const before = (await readInstanceRecord(dataFolder))?.certificate ?? '';
    const disabled = { ...instance.source, GREENROOM_TLS_ENABLED: 'false' };
    expect((await instance.greenroom.applySettings(disabled)).needRestart).toEqual(['GREENROOM_TLS_ENABLED']);
    const names = { GREENROOM_TLS_CERT_FILE: 'none.pem', GREENROOM_TLS_KEY_FILE: 'none.pem' };
    const { needRestart } = await instance.greenroom.applySettings({ ...instance.source, ...names });
    expect(needRestart).toEqual(Object.keys(names));
    expect(await isServed(before)).toBe(true);
  });
});
