/** A real S3 server for tests, behind a proxy that adds conditional writes and injects faults. */
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { startFauxqs } from 'fauxqs';
import type { S3Place } from '../s3/s3-client.ts';

/**
 * - a status: a response instead of that of the server; with `isDone`, although the server has performed the request
 * - `delayMs`: a late response
 * - `cut`: the connection is closed in the middle of the body of the request
 * - `reset`: the connection is closed instead of a response
 * - `silence`: no response
 * - `half`, `slow`: half a response, or one byte of it at a time
 */
export type Fault =
  | { status: number; code: string; isDone?: boolean }
  | { delayMs: number }
  | 'cut'
  | 'reset'
  | 'silence'
  | 'half'
  | 'slow';

/** A request that reached the proxy. */
export interface SeenRequest {
  method: string;
  path: string;
}

export interface TestS3Server {
  place: S3Place;
  /** Decides about the fault of a request; undefined passes it on. */
  inject(fault: (request: SeenRequest) => Fault | undefined): void;
  /** Whether the server honours `If-None-Match: *`, ignores it or rejects it. */
  conditions: 'honoured' | 'ignored' | 'rejected';
  /** All requests since the last call of `empty`. */
  seen: SeenRequest[];
  /** Removes all objects and faults. */
  empty(): void;
  close(): Promise<void>;
}

interface Reply {
  status: number;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

/** Starts a server with one empty bucket. */
export async function startTestS3(prefix = 'some/prefix'): Promise<TestS3Server> {
  const bucket = 'archive';
  const upstream = await startFauxqs({ port: 0, host: '127.0.0.1', logger: false });
  upstream.createBucket(bucket);
  let faultOf: (request: SeenRequest) => Fault | undefined = () => undefined;
  /** Conditional writes follow each other. */
  let turn: Promise<unknown> = Promise.resolve();
  const proxy = createServer((incoming, response) => {
    void handle(incoming, response).catch(() => response.destroy());
  });

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const seen = { method: incoming.method ?? '', path: incoming.url ?? '' };
    server.seen.push(seen);
    const fault = faultOf(seen);
    if (fault === 'cut') return cut(incoming);
    const body = await buffer(incoming);
    if (fault === 'reset') return void incoming.socket.resetAndDestroy();
    if (fault === 'silence') return;
    if (isStatus(fault) && !fault.isDone) return answer(response, errorReply(fault.status, fault.code));
    if (isDelay(fault)) await sleep(fault.delayMs);
    const send = () => forward(upstream.port, incoming, body);
    const isConditional = incoming.headers['if-none-match'] === '*';
    const conditional = async () =>
      (await exists(upstream.port, seen.path)) ? errorReply(412, 'PreconditionFailed') : send();
    if (isConditional && server.conditions === 'rejected')
      return answer(response, errorReply(501, 'NotImplemented'));
    const work = isConditional && server.conditions === 'honoured' ? turn.then(conditional) : send();
    if (isConditional) turn = work.catch(() => {});
    const reply = await work;
    if (isStatus(fault)) return answer(response, errorReply(fault.status, fault.code));
    answer(response, reply, fault === 'half' || fault === 'slow' ? fault : undefined);
  }

  const server: TestS3Server = {
    place: {
      bucket,
      prefix,
      endpoint: await listen(proxy),
      region: 'us-east-1',
      forcePathStyle: true,
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    },
    inject: (fault) => {
      faultOf = fault;
    },
    conditions: 'honoured',
    seen: [],
    empty() {
      upstream.emptyBucket(bucket);
      faultOf = () => undefined;
      server.conditions = 'honoured';
      server.seen.length = 0;
    },
    async close() {
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
      await upstream.stop();
    },
  };
  return server;
}

/** Closes the connection at the first part of the body; a request without a body is closed as well. */
function cut(incoming: IncomingMessage): void {
  const reset = () => incoming.socket.resetAndDestroy();
  incoming.once('data', reset).once('end', reset);
}

function isStatus(fault: Fault | undefined): fault is Extract<Fault, { status: number }> {
  return typeof fault === 'object' && 'status' in fault;
}

function isDelay(fault: Fault | undefined): fault is Extract<Fault, { delayMs: number }> {
  return typeof fault === 'object' && 'delayMs' in fault;
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function forward(port: number, incoming: IncomingMessage, body: Buffer): Promise<Reply> {
  const { method, headers, url: path } = incoming;
  return send({ port, method: method ?? 'GET', path: path ?? '/', headers }, body);
}

async function exists(port: number, path: string): Promise<boolean> {
  const [key = ''] = path.split('?');
  return (await send({ port, method: 'HEAD', path: key, headers: {} }, Buffer.alloc(0))).status === 200;
}

function send(
  options: { port: number; method: string; path: string; headers: IncomingMessage['headers'] },
  body: Buffer,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', agent: false, ...options }, (response) => {
      buffer(response).then(
        (bytes) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: bytes }),
        reject,
      );
    });
    outgoing.on('error', reject).end(body);
  });
}

function errorReply(status: number, code: string): Reply {
  const body = Buffer.from(
    `<?xml version="1.0"?><Error><Code>${code}</Code><Message>injected</Message></Error>`,
  );
  return { status, headers: { 'content-type': 'application/xml' }, body };
}

function answer(response: ServerResponse, reply: Reply, fault?: 'half' | 'slow'): void {
  const { 'transfer-encoding': _, connection: __, ...headers } = reply.headers;
  response.writeHead(reply.status, {
    ...headers,
    'content-length': headers['content-length'] ?? reply.body.length,
  });
  if (fault === undefined) return void response.end(reply.body);
  response.write(reply.body.subarray(0, reply.body.length >> 1));
  if (fault === 'half') return void setImmediate(() => response.destroy());
  let at = reply.body.length >> 1;
  const timer = setInterval(() => {
    response.write(reply.body.subarray(at, at + 1));
    if (++at >= reply.body.length) response.end(() => clearInterval(timer));
    if (at >= reply.body.length) clearInterval(timer);
  }, 1);
}
