/**
 * A Unix socket through which functions call the host of models that the operator has configured. The key of the host is
 * added here, so that no function sees it, and the host may have a private address.
 */
import { once } from 'node:events';
import { chmod } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import type { Logger } from '@greenroom/log';
import type { FunctionsConfig } from '../settings.ts';
import { modelUrl } from './model-urls.ts';

/** Options of {@link openModelSocket}. */
interface ModelSocketOptions {
  /** Path of the socket. */
  path: string;
  host: string;
  key: FunctionsConfig['models']['key'];
  log: Logger;
}

/** A listening socket. */
interface ModelSocket {
  path: string;
  close(): Promise<void>;
}

/** Maximum number of concurrent requests of all functions: a model on the same machine serves few at once. */
const MAX_REQUESTS = 64;
const MEBIBYTE = 1024 * 1024;
const MAX_BODY_BYTES = 16 * MEBIBYTE;
/** Maximum total size of the bodies of all running requests, which are in memory until their response has ended. */
const MAX_TOTAL_BYTES = 64 * MEBIBYTE;

/** A request that is refused here. Its message is for the author of the function. */
class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

/** Listens at a path. */
export async function openModelSocket({ path, host, key, log }: ModelSocketOptions): Promise<ModelSocket> {
  const running = { requests: 0, bytes: 0 };
  const server = createServer(async (request, response) => {
    const bytes = lengthOf(request);
    running.requests += 1;
    running.bytes += bytes;
    try {
      requireCapacity(running, bytes);
      await relay({ request, response, host, key });
    } catch (error) {
      if (error instanceof Refusal) respondWith(error, response);
      else response.destroy();
      if (error instanceof Refusal && error.cause !== undefined)
        log.warn({ err: error.cause, host }, 'the host of models for functions cannot be reached');
    } finally {
      running.requests -= 1;
      running.bytes -= bytes;
    }
  });
  server.listen(path);
  await once(server, 'listening');
  // Connecting requires the right to write.
  await chmod(path, 0o666);
  return {
    path,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Returns the size of a body; 0 for one that is refused. */
function lengthOf({ headers }: IncomingMessage): number {
  const bytes = Number(headers['content-length'] ?? 0);
  return bytes <= MAX_BODY_BYTES ? bytes : 0;
}

/** Throws a refusal if all running requests, including a new one with this body, exceed a limit. */
function requireCapacity(running: { requests: number; bytes: number }, bytes: number): void {
  if (running.requests > MAX_REQUESTS)
    throw new Refusal(429, `${MAX_REQUESTS} requests to models run already`);
  if (bytes > 0 && running.bytes > MAX_TOTAL_BYTES) {
    const mebibytes = MAX_TOTAL_BYTES / MEBIBYTE;
    throw new Refusal(429, `running requests to models have bodies of ${mebibytes} MiB in total already`);
  }
}

interface Relay extends Pick<ModelSocketOptions, 'host' | 'key'> {
  request: IncomingMessage;
  response: ServerResponse;
}

/** Forwards a request, and streams its response back. Rejects with {@link Refusal}, or if client or host disconnects. */
async function relay({ request, response, host, key }: Relay): Promise<void> {
  // Clients of a proxy send the whole URL.
  const path = URL.parse(request.url ?? '', 'http://models.invalid')?.pathname ?? '';
  const url = modelUrl(host, path);
  if (url === undefined || request.method !== 'POST')
    throw new Refusal(404, `${request.method} ${path} is no request to a model`);
  const leaving = new AbortController();
  response.once('close', () => leaving.abort());
  const body = await readBody(request);
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
    body,
    // The key is meant for the configured host only.
    redirect: 'manual',
    signal: leaving.signal,
  }).catch((cause: unknown) => {
    leaving.signal.throwIfAborted();
    throw new Refusal(502, 'the host cannot be reached; the log of the server has the reason', { cause });
  });
  if (answer.status >= 300 && answer.status < 400) {
    await answer.body?.cancel();
    throw new Refusal(502, 'the host redirects to another URL');
  }
  const type = answer.headers.get('content-type');
  response.writeHead(answer.status, { ...(type && { 'content-type': type }) });
  if (answer.body === null) response.end();
  else await pipeline(Readable.fromWeb(answer.body as ReadableStream<Uint8Array>), response);
}

async function readBody(request: IncomingMessage): Promise<Buffer<ArrayBuffer>> {
  // Sessions of models check it, too: a client that still sends gets no response.
  if (Number(request.headers['content-length'] ?? Infinity) > MAX_BODY_BYTES)
    throw new Refusal(413, 'the body is larger than 16 MiB, or has no length');
  return Buffer.from(await buffer(request));
}

function respondWith({ status, message }: Refusal, response: ServerResponse): void {
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
  response.end(JSON.stringify({ error: { message } }));
}
