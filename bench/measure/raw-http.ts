/** HTTP/1.1 over one kept connection, with hardly any work of its own: what is measured is the server. */
import { connect, type Socket } from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');

/** One connection. Requests are asked one after the other. */
export interface RawConnection {
  /** Sends a whole request and gives the body. Throws unless the status is 2xx. */
  ask(request: string | Buffer): Promise<Buffer>;
}

/** Opens a connection to the server of a URL. */
export function openConnection(url: string): RawConnection {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  const reader = new AnswerReader();
  socket.on('data', (chunk: Buffer) => reader.push(chunk));
  socket.on('error', (error) => reader.fail(error));
  socket.on('close', () => reader.fail(new Error('the server closed the connection')));
  return { ask: (request) => ask(socket, reader, request) };
}

/** A request of one part after the other; `body` is JSON text. */
export function requestText(
  method: string,
  target: string,
  headers: Record<string, string>,
  body?: string,
): string {
  const own = {
    host: 'bench',
    ...headers,
    ...(body !== undefined && {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
    }),
  };
  const lines = Object.entries(own).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`;
}

function ask(socket: Socket, reader: AnswerReader, request: string | Buffer): Promise<Buffer> {
  const answered = reader.next();
  socket.write(request);
  return answered;
}

/** Puts answers together. */
class AnswerReader {
  #received: Buffer[] = [];
  #length = 0;
  /** Of the whole answer, once its head has been read. */
  #wanted: number | undefined;
  #headLength = 0;
  #waiting: { resolve: (body: Buffer) => void; reject: (error: Error) => void } | undefined;

  next(): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
    });
  }

  fail(error: Error): void {
    this.#waiting?.reject(error);
  }

  push(chunk: Buffer): void {
    this.#received.push(chunk);
    this.#length += chunk.length;
    if (this.#wanted === undefined) this.#readHead();
    if (this.#wanted === undefined || this.#length < this.#wanted) return;
    const answer = Buffer.concat(this.#received);
    const body = answer.subarray(this.#headLength, this.#wanted);
    this.#received = [];
    this.#length = 0;
    this.#wanted = undefined;
    this.#waiting?.resolve(body);
  }

  #readHead(): void {
    const received = this.#received.length === 1 ? this.#received[0] : Buffer.concat(this.#received);
    const end = received?.indexOf(HEAD_END) ?? -1;
    if (received === undefined || end === -1) return;
    const head = received.toString('latin1', 0, end);
    const status = Number(head.slice(9, 12));
    this.#headLength = end + HEAD_END.length;
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
    if (status < 200 || status > 299)
      this.fail(new Error(`${head}\n${received.toString('utf8', this.#headLength)}`));
    this.#wanted = this.#headLength + length;
  }
}
