import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { createLogger } from '@greenroom/log';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ModelHost } from '../testing/model-host.ts';
import { openModelSocket } from './model-socket.ts';

const MAX_BODY_BYTES = 16 * 1024 * 1024;
const REQUESTS_AT_THE_LIMIT = 4;

let folder: string;
let host: ModelHost;
let socket: Awaited<ReturnType<typeof openModelSocket>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'models-'));
  host = await ModelHost.open();
  socket = await openModelSocket({
    path: join(folder, 'models.sock'),
    host: host.url,
    key: undefined,
    log: createLogger('silent'),
  });
});
afterAll(async () => {
  await socket.close();
  await host[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

/** Begins a request with a body of a length, and sends nothing of the body yet. */
function begin(length: number): ClientRequest {
  const headers = { 'content-length': length, expect: '100-continue' };
  const started = request({ socketPath: socket.path, method: 'POST', path: '/v1/embeddings', headers });
  started.on('error', () => undefined);
  started.flushHeaders();
  return started;
}

async function send(body: string): Promise<{ status: number | undefined; body: unknown }> {
  const sent = begin(body.length);
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode, body: await json(response) };
}

it('refuses a body that exceeds the total of all running requests, until another request ends', async () => {
  const running = Array.from({ length: REQUESTS_AT_THE_LIMIT }, () => begin(MAX_BODY_BYTES));
  await Promise.all(running.map((each) => once(each, 'continue')));
  expect(await send('{}')).toEqual({
    status: 429,
    body: { error: { message: 'running requests to models have bodies of 64 MiB in total already' } },
  });
  running[0]?.destroy();
  await expect.poll(async () => (await send('{"model":"x"}')).status).toBe(200);
  for (const each of running) each.destroy();
});
