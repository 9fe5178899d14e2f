/** An instance behind nginx and Caddy with their default settings, and the configurations of docs/deploy.md. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { type RequestOptions, request } from 'node:https';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Duplex } from 'node:stream';
import type { ProjectToRun } from '@greenroom/project';
import { freePort } from '@greenroom/testing';
import { startTestCaddy, WITHOUT_CADDY } from '@greenroom/testing/caddy';
import { startTestNginxSites, WITHOUT_NGINX } from '@greenroom/testing/nginx';
import { loadOrCreateSelfSigned, SELF_SIGNED_FILES, type ServerCertificate } from '@greenroom/tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from './settings.ts';
import { type Greenroom, startGreenroom } from './start.ts';

const START_MS = 60_000;
/** Larger than the bodies that nginx accepts and keeps in memory by default. */
const UPLOAD_BYTES = 8 * 1024 * 1024;
/** Address of a visitor: a proxy on 127.0.0.1 is trusted, and 127.0.0.5 is not. */
const VISITOR = '127.0.0.5';

const FUNCTIONS = {
  'functions/seen/index.ts': `Deno.serve((request, { remoteAddr }) => {
    const { protocol, host } = new URL(request.url);
    return Response.json({ protocol, host, address: remoteAddr.hostname });
  });`,
  // As the session of an account with 4 KB of metadata: cookies of 3 KB.
  'functions/session/index.ts': `Deno.serve(({ headers }) => {
    const response = new Response(String(headers.get('cookie')?.length));
    for (let index = 0; index < 4; index += 1)
      response.headers.append('set-cookie', 'session.' + index + '=' + 'x'.repeat(3072));
    return response;
  });`,
  // The name of the proxy separates streams; a POST request ends one.
  'functions/stream/index.ts': `const streams = new Map();
    Deno.serve(({ url, method }) => {
      const { search } = new URL(url);
      if (method === 'POST') { streams.get(search).resolve(); return new Response(null, { status: 204 }); }
      const released = Promise.withResolvers();
      streams.set(search, released);
      const { readable, writable } = new TextEncoderStream();
      const writer = writable.getWriter();
      writer.write('first ');
      released.promise.then(() => { writer.write('last'); writer.close(); });
      return new Response(readable, { headers: { 'content-type': 'text/event-stream' } });
    });`,
};

const template = (name: string) =>
  readFileSync(new URL(`../create/templates/shared/${name}`, import.meta.url), 'utf8');

let folder: string;
let certificate: ServerCertificate;
let greenroom: Greenroom;
let port: number;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-proxies-'));
  certificate = await loadOrCreateSelfSigned(folder, new Date());
  for (const [path, content] of Object.entries(FUNCTIONS)) {
    await mkdir(dirname(join(folder, 'supabase', path)), { recursive: true });
    await writeFile(join(folder, 'supabase', path), content);
  }
  port = await freePort();
  const config = loadConfig({
    PORT: String(port),
    GREENROOM_DATA_DIR: join(folder, 'data'),
    LOG_LEVEL: 'silent',
    GREENROOM_PUBLIC_URL: 'https://localhost',
    GREENROOM_TRUST_PROXY: '127.0.0.1',
  });
  const project: ProjectToRun = {
    project: { folder, supabaseFolder: join(folder, 'supabase') } as ProjectToRun['project'],
    name: 'proxies',
  };
  greenroom = await startGreenroom({ config, project, pages: 'none' });
}, START_MS);
afterAll(async () => {
  await greenroom.close();
  await rm(folder, { recursive: true, force: true });
});

const certificateFiles = () => ({
  cert: join(folder, SELF_SIGNED_FILES.cert),
  key: join(folder, SELF_SIGNED_FILES.key),
});

async function startNginx(proxyPort: number) {
  const { cert, key } = certificateFiles();
  const sites = template('nginx.conf')
    .replaceAll(/ +listen \[::\].*\n/g, '')
    .replace('listen 80;', `listen 127.0.0.1:${await freePort()};`)
    .replace('listen 443', `listen 127.0.0.1:${proxyPort}`)
    .replaceAll('example.org;', 'localhost;')
    .replace(/ssl_certificate .*;/, `ssl_certificate ${cert};`)
    .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${key};`)
    .replace('$host;\n    proxy_set_header X', `$host:${proxyPort};\n    proxy_set_header X`)
    .replace('127.0.0.1:54321', `127.0.0.1:${port}`);
  return startTestNginxSites(sites, proxyPort);
}

function startCaddy(proxyPort: number) {
  const { cert, key } = certificateFiles();
  const sites = template('Caddyfile')
    .replace('example.org {', `localhost:${proxyPort} {\n\ttls ${cert} ${key}`)
    .replace('127.0.0.1:54321', `127.0.0.1:${port}`);
  return startTestCaddy(sites, proxyPort);
}

describe.each([
  ['nginx', startNginx, WITHOUT_NGINX],
  ['Caddy', startCaddy, WITHOUT_CADDY],
] as const)('behind %s with the documented configuration', (name, start, reason) => {
  let proxyPort: number;
  let proxy: { stop(): Promise<void> };
  beforeAll(async () => {
    if (reason !== undefined) return;
    proxyPort = await freePort();
    proxy = await start(proxyPort);
  });
  afterAll(() => proxy?.stop());

  const key = () => greenroom.backend?.apiKeys.secret ?? '';

  /** Sends a request through the proxy. */
  function open(path: string, options: RequestOptions = {}) {
    const headers = { authorization: `Bearer ${key()}`, apikey: key(), ...options.headers };
    const target = {
      host: '127.0.0.1',
      servername: 'localhost',
      port: proxyPort,
      path,
      ca: certificate.cert,
    };
    return request({ ...target, ...options, headers: { host: `localhost:${proxyPort}`, ...headers } });
  }

  async function send(path: string, options: RequestOptions = {}, body?: string | Buffer) {
    const sent = open(path, options);
    sent.end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const text = Buffer.concat(await response.toArray()).toString();
    return { status: response.statusCode, text };
  }

  const json = { method: 'POST', headers: { 'content-type': 'application/json' } };

  it.skipIf(reason)('accepts uploads that are larger than the default limits of proxies', async () => {
    await send('/storage/v1/bucket', json, JSON.stringify({ id: 'files', name: 'files' }));
    const content = Buffer.alloc(UPLOAD_BYTES, 'x');
    const options = { method: 'POST', headers: { 'content-type': 'text/plain', 'x-upsert': 'true' } };
    expect(await send('/storage/v1/object/files/large.txt', options, content)).toMatchObject({ status: 200 });
    const stored = await send('/storage/v1/object/files/large.txt');
    expect([stored.status, stored.text.length]).toEqual([200, UPLOAD_BYTES]);
  });

  it.skipIf(reason)(
    'passes on the address of the visitor and the public URL, despite a forged header',
    async () => {
      const headers = { 'x-forwarded-for': '203.0.113.9' };
      const { text } = await send('/functions/v1/seen', { localAddress: VISITOR, headers });
      expect(JSON.parse(text)).toEqual({
        protocol: 'https:',
        host: `localhost:${proxyPort}`,
        address: VISITOR,
      });
    },
  );

  it.skipIf(reason)('passes on 12 KB of cookies in a request and in its response', async () => {
    const cookie = 'x'.repeat(12_288);
    expect(await send('/functions/v1/session', { headers: { cookie } })).toEqual({
      status: 200,
      text: String(cookie.length),
    });
  });

  it.skipIf(reason)('passes on a stream of a function as it is written', async () => {
    const path = `/functions/v1/stream?${name}`;
    const sent = open(path);
    sent.end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const [first] = await once(response, 'data');
    expect(String(first)).toBe('first ');
    const rest = response.toArray();
    expect((await send(path, { method: 'POST' })).status).toBe(204);
    expect(Buffer.concat(await rest).toString()).toBe('last');
  });

  it.skipIf(reason)('passes on the WebSockets of realtime', async () => {
    const headers = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': Buffer.alloc(16).toString('base64'),
    };
    const sent = open(`/realtime/v1/websocket?apikey=${greenroom.backend?.apiKeys.anon}&vsn=2.0.0`, {
      headers,
    });
    sent.end();
    const [response, socket] = (await once(sent, 'upgrade')) as [IncomingMessage, Duplex];
    expect(response.statusCode).toBe(101);
    socket.write(textFrame('[null,"1","phoenix","heartbeat",{}]'));
    const [reply] = await once(socket, 'data');
    expect(String(reply)).toContain('"status":"ok"');
    socket.destroy();
  });
});

/** RFC 6455 §5.2: a final text frame of a client, with a mask of zeros. */
function textFrame(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)]);
}

it('keeps idle connections longer than Caddy and Traefik keep theirs, so that none of their requests gets 502', async () => {
  const response = await fetch(`${greenroom.url}/health/live`);
  const [, seconds] = /timeout=(\d+)/.exec(response.headers.get('keep-alive') ?? '') ?? [];
  expect(Number(seconds)).toBeGreaterThan(120);
});
