/** A raw HTTP/1.1 client, for requests that regular clients never send. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A request. Characters are bytes (latin1). */
export interface RawRequest {
  method: string;
  target: string;
  headers: readonly (readonly [name: string, value: string])[];
  body: Buffer | undefined;
  /** The framing of the body. `expect` sends `Expect: 100-continue`, but does not wait for the interim response. */
  framing: 'length' | 'chunked' | 'expect';
}

/** An answer. Names of headers are in lower case. */
export interface RawResponse {
  status: number;
  headers: ReadonlyMap<string, string>;
  body: Buffer;
}

/** Timeout of a response. No request takes that long. */
const HANGING_MS = 120_000;
const CHUNK_BYTES = 1000;

/** The bytes of a request. */
export function requestBytes({ method, target, headers, body, framing }: RawRequest): Buffer {
  const lines = [
    `${method} ${target} HTTP/1.1`,
    'host: localhost',
    ...headers.map((pair) => pair.join(': ')),
  ];
  if (body !== undefined && framing === 'chunked') lines.push('transfer-encoding: chunked');
  else if (body !== undefined) lines.push(`content-length: ${body.length}`);
  if (body !== undefined && framing === 'expect') lines.push('expect: 100-continue');
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  if (body === undefined) return head;
  return Buffer.concat([head, ...(framing === 'chunked' ? chunks(body) : [body])]);
}

function chunks(body: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  for (let start = 0; start < body.length; start += CHUNK_BYTES) {
    const chunk = body.subarray(start, start + CHUNK_BYTES);
    parts.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n'));
  }
  return [...parts, Buffer.from('0\r\n\r\n')];
}

/** Sends requests to one server, well-formed ones over connections that are used again. */
export class RawHttp {
  readonly #port: number;
  readonly #idle: Socket[] = [];

  constructor(port: number) {
    this.#port = port;
  }

  /** Sends a request and waits for its answer. Rejects where none comes. */
  async send(request: RawRequest): Promise<RawResponse> {
    const socket = this.#idle.pop() ?? connect(this.#port, '127.0.0.1');
    const isHead = request.method === 'HEAD';
    const { response, isOpen } = await exchange(socket, requestBytes(request), (bytes, hasEnded) =>
      readResponse(bytes, isHead, hasEnded),
    );
    if (isOpen && response.headers.get('connection') !== 'close') this.#idle.push(socket);
    else socket.resetAndDestroy();
    return response;
  }

  /** Sends bytes and nothing more, and gives all answers: perhaps none. */
  async sendBytes(bytes: Buffer): Promise<RawResponse[]> {
    const socket = connect({ port: this.#port, host: '127.0.0.1', allowHalfOpen: true });
    const running = exchange(socket, bytes, (received, hasEnded) =>
      hasEnded ? readResponses(received) : undefined,
    );
    socket.end();
    const { response } = await running;
    socket.resetAndDestroy();
    return response;
  }

  /** Sends a request and breaks the connection off when `moment` has come. */
  async abandon(request: RawRequest, delay: () => Promise<unknown>): Promise<void> {
    const socket = connect(this.#port, '127.0.0.1');
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.write(requestBytes(request));
    await delay();
    socket.resetAndDestroy();
  }

  close(): void {
    for (const socket of this.#idle) socket.destroy();
  }
}

/** Writes bytes and reads until `read` has its answer. */
function exchange<Result>(
  socket: Socket,
  bytes: Buffer,
  read: (received: Buffer, hasEnded: boolean) => Result | undefined,
): Promise<{ response: Result; isOpen: boolean }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ response: Result; isOpen: boolean }>();
  let received = Buffer.alloc(0);
  const settle = (hasEnded: boolean) => {
    const response = read(received, hasEnded);
    if (response === undefined && !hasEnded) return;
    clearTimeout(timer);
    socket.off('data', onData).off('end', onEnd).off('close', onEnd).off('error', onEnd);
    socket.once('error', () => {});
    if (response === undefined) reject(new Error('the connection was closed without an answer'));
    else resolve({ response, isOpen: !hasEnded });
  };
  const onData = (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    settle(false);
  };
  // Also called after an error. Data received before counts: a server may respond before it has read the whole request.
  const onEnd = () => settle(true);
  const timer = setTimeout(() => reject(new Error('there is no answer')), HANGING_MS);
  socket.removeAllListeners('error');
  socket.on('data', onData).once('end', onEnd).once('close', onEnd).once('error', onEnd);
  socket.write(bytes);
  return promise;
}

/** Everything that was answered. Whether one of them was to a HEAD is not known. */
function readResponses(bytes: Buffer): RawResponse[] {
  const responses: RawResponse[] = [];
  let rest = bytes;
  while (rest.length > 0) {
    const head = readHead(rest);
    if (head === undefined) break;
    if (head.status >= 200) responses.push({ ...head, body: Buffer.alloc(0) });
    const next = rest.indexOf('HTTP/1.1 ', head.end);
    rest = next === -1 ? Buffer.alloc(0) : rest.subarray(next);
  }
  return responses;
}

function readResponse(bytes: Buffer, isHead: boolean, hasEnded: boolean): RawResponse | undefined {
  const head = readHead(bytes);
  if (head === undefined) return undefined;
  const { status, headers, end } = head;
  const rest = bytes.subarray(end);
  if (status < 200) return readResponse(rest, isHead, hasEnded);
  if (isHead || status === 204 || status === 304) return { status, headers, body: Buffer.alloc(0) };
  const body = headers.get('transfer-encoding') === 'chunked' ? readChunks(rest) : readLength(rest, headers);
  return body && { status, headers, body };
}

function readHead(
  bytes: Buffer,
): { status: number; headers: ReadonlyMap<string, string>; end: number } | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const [first = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1]);
  const pairs = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return { status, headers: new Map(pairs), end: end + 4 };
}

function readLength(rest: Buffer, headers: ReadonlyMap<string, string>): Buffer | undefined {
  const length = Number(headers.get('content-length') ?? 0);
  return rest.length < length ? undefined : rest.subarray(0, length);
}

function readChunks(rest: Buffer): Buffer | undefined {
  const parts: Buffer[] = [];
  let at = 0;
  for (;;) {
    const end = rest.indexOf('\r\n', at);
    if (end === -1) return undefined;
    const length = Number.parseInt(rest.toString('latin1', at, end), 16);
    const next = end + 2 + length + 2;
    if (rest.length < next) return undefined;
    if (length === 0) return Buffer.concat(parts);
    parts.push(rest.subarray(end + 2, end + 2 + length));
    at = next;
  }
}
