/** A request and a response that no socket carries, for calls within the process. */
import { EventEmitter } from 'node:events';
import type { OutgoingHttpHeader, OutgoingHttpHeaders } from 'node:http';
import { PassThrough, Readable, Writable } from 'node:stream';

/** The values of a call that become a request. */
export interface LocalCall {
  method: string;
  /** Path with query. */
  path: string;
  /** Names are in lower case. */
  headers: Record<string, string>;
  body: string | undefined;
}

/** The part of a socket that request handlers read. */
class LocalSocket extends EventEmitter {
  readonly remoteAddress = '127.0.0.1';
  readonly encrypted = false;
  destroyed = false;

  destroy(): this {
    this.destroyed = true;
    return this;
  }
}

/** Has the fields of Node.js's `IncomingMessage` that Fastify and the services read. */
export class LocalRequest extends Readable {
  readonly httpVersion = '1.1';
  readonly httpVersionMajor = 1;
  readonly httpVersionMinor = 1;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly rawHeaders: string[];
  readonly socket = new LocalSocket();
  readonly complete = true;
  aborted = false;
  url: string;
  #body: string | undefined;

  constructor({ method, path, headers, body }: LocalCall) {
    super();
    this.method = method;
    this.url = path;
    this.headers = headers;
    this.rawHeaders = Object.entries(headers).flat();
    this.#body = body;
  }

  override _read(): void {
    if (this.#body !== undefined && this.#body !== '') this.push(this.#body);
    this.push(null);
  }
}

/** Whether a request was sent by the pages of this process, over no socket. */
export function isFromOwnPages({ raw }: { raw: unknown }): boolean {
  return raw instanceof LocalRequest;
}

/** Larger bodies are streamed. */
const MAX_KEPT_BYTES = 1024 * 1024;

/**
 * Has the methods of Node.js's `ServerResponse` that Fastify and the services call. Keeps a small body. A large one, and one whose
 * headers are flushed before it, becomes a stream: the event `stream` has it, and its reader limits the writer.
 */
export class LocalResponse extends Writable {
  readonly req: LocalRequest;
  statusCode = 200;
  statusMessage = '';
  headersSent = false;
  sendDate = false;
  readonly #headers = new Map<string, OutgoingHttpHeader>();
  #chunks: Buffer<ArrayBuffer>[] = [];
  #keptBytes = 0;
  #stream: PassThrough | undefined;

  constructor(request: LocalRequest) {
    super({ decodeStrings: true });
    this.req = request;
  }

  get socket(): LocalSocket {
    return this.req.socket;
  }

  /** The whole body of a response that is not streamed, once it has finished. */
  get body(): Buffer<ArrayBuffer> {
    const [first] = this.#chunks;
    return first !== undefined && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks);
  }

  setHeader(name: string, value: OutgoingHttpHeader): this {
    this.#headers.set(name.toLowerCase(), value);
    return this;
  }

  getHeader(name: string): OutgoingHttpHeader | undefined {
    return this.#headers.get(name.toLowerCase());
  }

  getHeaders(): OutgoingHttpHeaders {
    return Object.fromEntries(this.#headers);
  }

  getHeaderNames(): string[] {
    return [...this.#headers.keys()];
  }

  hasHeader(name: string): boolean {
    return this.#headers.has(name.toLowerCase());
  }

  removeHeader(name: string): void {
    this.#headers.delete(name.toLowerCase());
  }

  writeHead(status: number, ...rest: (string | OutgoingHttpHeaders | undefined)[]): this {
    this.statusCode = status;
    for (const value of rest) {
      if (typeof value === 'string') this.statusMessage = value;
      else for (const [name, header] of Object.entries(value ?? {})) this.#setDefined(name, header);
    }
    this.headersSent = true;
    return this;
  }

  flushHeaders(): void {
    this.headersSent = true;
    this.#startStream();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.headersSent = true;
    // The writer may release the memory of a chunk once it has been written.
    const copy = Buffer.from(chunk);
    if (this.#stream !== undefined) {
      if (this.#stream.write(copy)) done();
      else this.#stream.once('drain', done);
      return;
    }
    this.#chunks.push(copy);
    this.#keptBytes += copy.length;
    if (this.#keptBytes > MAX_KEPT_BYTES) this.#startStream();
    done();
  }

  override _final(done: () => void): void {
    this.#stream?.end();
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    // A stream that has ended normally is not affected.
    if (!this.writableFinished) this.#stream?.destroy(error ?? new TypeError('terminated'));
    done(error);
  }

  #startStream(): void {
    if (this.#stream !== undefined) return;
    const stream = new PassThrough();
    this.#stream = stream;
    for (const chunk of this.#chunks) stream.write(chunk);
    this.#chunks = [];
    // The reader no longer needs the rest.
    stream.once('close', () => {
      if (!this.writableFinished) this.destroy();
    });
    this.emit('stream', stream);
  }

  #setDefined(name: string, value: OutgoingHttpHeader | undefined): void {
    if (value !== undefined) this.setHeader(name, value);
  }
}
