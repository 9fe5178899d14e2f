import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPinnedFetch } from './pinned-fetch.ts';
import { createTestCertificate } from './testing/certificate.ts';

/** The name is that of another machine, as in the certificate of a public server. */
const create = () => createTestCertificate({ hosts: ['example.org'], addresses: [] });

let certificate = create();
let server: Server;
let url: string;

beforeAll(async () => {
  server = createServer(certificate, async (request, response) => {
    if (request.url === '/hang') return;
    if (request.url === '/empty') return void response.writeHead(204).end();
    if (request.url === '/moved') return void response.writeHead(302, { location: '/' }).end();
    const { method, headers } = request;
    const body = await text(request);
    response.writeHead(201, { 'set-cookie': ['a=1', 'b=2'] }).end(JSON.stringify({ method, headers, body }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const send = createPinnedFetch('https://127.0.0.1:1', () => certificate.cert);
const pinned = () => createPinnedFetch(url, () => certificate.cert);

it('sends a request and returns its response', async () => {
  const response = await pinned()(`${url}/a`, { headers: { apikey: 'k' } });
  expect([response.status, response.headers.getSetCookie()]).toEqual([201, ['a=1', 'b=2']]);
  expect(await response.json()).toMatchObject({ method: 'GET', headers: { apikey: 'k' }, body: '' });
  expect((await pinned()(`${url}/empty`)).status).toBe(204);
  expect((await pinned()(`${url}/moved`)).status).toBe(302);
});

it('sends bodies, with the length of files', async () => {
  const form = new FormData();
  form.set('file', new Blob(['content']), 'a.txt');
  const sent = async (body: BodyInit) => {
    const response = await pinned()(new URL(url), { method: 'POST', body });
    return (await response.json()) as { headers: Record<string, string>; body: string };
  };
  expect((await sent('text')).body).toBe('text');
  expect(await sent(new Blob(['1234']))).toMatchObject({ headers: { 'content-length': '4' }, body: '1234' });
  const { headers, body } = await sent(form);
  expect(headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
  expect(body).toContain('filename="a.txt"');
});

it('rejects another server, even if its certificate has the same names', async () => {
  const other = createServer(create(), (_request, response) => response.end('stolen'));
  await once(other.listen(0, '127.0.0.1'), 'listening');
  const otherUrl = `https://127.0.0.1:${(other.address() as AddressInfo).port}`;
  await expect(createPinnedFetch(otherUrl, () => certificate.cert)(otherUrl)).rejects.toThrow('fetch failed');
  other.close();
});

it('accepts the new certificate after a renewal, and rejects the former one', async () => {
  const former = certificate;
  const reused = pinned();
  certificate = create();
  server.setSecureContext(certificate);
  expect((await reused(url)).status).toBe(201);
  await expect(createPinnedFetch(url, () => former.cert)(url)).rejects.toThrow('fetch failed');
});

it('rejects when the request is aborted', async () => {
  const controller = new AbortController();
  const response = pinned()(`${url}/hang`, { signal: controller.signal });
  controller.abort(new Error('enough'));
  await expect(response).rejects.toThrow('enough');
});

it('passes requests to other origins to the global fetch', async () => {
  const plain = createHttpServer((_request, response) => response.end('plain'));
  await once(plain.listen(0, '127.0.0.1'), 'listening');
  const { port } = plain.address() as AddressInfo;
  expect(await (await send(`http://127.0.0.1:${port}`)).text()).toBe('plain');
  await expect(send(url)).rejects.toThrow('fetch failed');
  plain.closeAllConnections();
  plain.close();
});
