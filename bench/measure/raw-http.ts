/** HTTP/1.1 over one keep-alive connection with minimal client work, so that the server is measured. */
import { connect, type Socket } from 'node:net';

const HEAD_END = '\r\n\r\n';
const LAST_CHUNK = '\r\n0\r\n\r\n';
const READ_BYTES = 64 * 1024;

/** A client with one connection at a time. Requests are sent one after the other. */
interface RawConnection {
  /**
   * Sends a whole request and waits for the whole response, which is discarded. Reconnects if the server has closed the
   * connection since the last response. Rejects unless the status is 2xx, and if the connection is lost before the
   * response.
   */
  send(request: string): Promise<void>;
}

/** Opens a connection to the server of a URL; `unix:/path` is that of a Unix socket. */
export function openConnection(url: string): RawConnection {
  let connection = connectTo(url);
  return {
    send(request) {
      if (!connection.socket.writable) connection = connectTo(url);
      const responded = connection.reader.next();
      connection.socket.write(request);
      return responded;
    },
  };
}

/** A socket, and the reader of its responses. */
interface Connection {
  socket: Socket;
  reader: ResponseReader;
}

function connectTo(url: string): Connection {
  const { protocol, hostname, port, pathname } = new URL(url);
  const reader = new ResponseReader();
  const socket = connect({
    ...(protocol === 'unix:' ? { path: pathname } : { host: hostname, port: Number(port), noDelay: true }),
    // Avoids an allocation for each read, and the events of a stream.
    onread: {
      buffer: Buffer.allocUnsafe(READ_BYTES),
      callback: (length, buffer) => reader.push(Buffer.from(buffer.buffer, buffer.byteOffset, length)),
    },
  });
  socket.on('error', (error) => reader.fail(error));
  socket.on('close', () => reader.fail(new Error('the server closed the connection')));
  return { socket, reader };
}

/** Returns a function that creates requests of one kind; their common part is formatted once. `body` is JSON text. */
export function requestWriter(
  method: string,
  headers: Record<string, string>,
): (target: string, body?: string) => string {
  const lines = Object.entries({ host: 'bench', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const common = ` HTTP/1.1\r\n${lines.join('')}`;
  return (target, body) => {
    const start = `${method} ${target}${common}`;
    if (body === undefined) return `${start}\r\n`;
    return `${start}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}${HEAD_END}${body}`;
  };
}

/** Finds the end of responses: after their content length, or after the last chunk (RFC 9112 §7.1). */
class ResponseReader {
  /** Received text of a response of unknown remaining length. */
  #received = '';
  /** Number of missing bytes; undefined if unknown. */
  #missing: number | undefined;
  #waiting: PromiseWithResolvers<void> | undefined;
  #failure: Error | undefined;

  next(): Promise<void> {
    this.#waiting = Promise.withResolvers();
    if (this.#failure) this.#waiting.reject(this.#failure);
    return this.#waiting.promise;
  }

  /** Rejects the pending response and all later ones, because no more will arrive. */
  fail(error: Error): void {
    this.#failure ??= error;
    this.#waiting?.reject(this.#failure);
  }

  /** @returns true to continue reading */
  push(bytes: Buffer): boolean {
    if (this.#missing === undefined) this.#missing = this.#readStart(bytes);
    else this.#missing -= bytes.length;
    if (this.#missing === 0) {
      this.#received = '';
      this.#missing = undefined;
      this.#waiting?.resolve();
    }
    return true;
  }

  #readStart(bytes: Buffer): number | undefined {
    this.#received += bytes.toString('latin1');
    const received = this.#received;
    const end = received.indexOf(HEAD_END);
    if (end === -1) return undefined;
    const head = received.slice(0, end);
    const status = Number(head.slice(9, 12));
    if (status < 200 || status > 299) this.#waiting?.reject(new Error(received));
    const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
    if (length === undefined) return received.endsWith(LAST_CHUNK) ? 0 : undefined;
    return Number(length) - (received.length - end - HEAD_END.length);
  }
}
