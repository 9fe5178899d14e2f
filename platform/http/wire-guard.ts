/**
 * Limits the work of the HTTP parser. Node.js parses all bytes of one socket read before it serves another socket:
 * thousands of pipelined requests or of one-byte chunks, in up to 32 reads in a row.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { createFairScheduler } from '@greenroom/limits';

/** Maximum number of requests of one connection that wait behind the current one. */
const MAX_PIPELINED = 32;
/** Bodies with fewer chunks are not examined. */
const FEW_CHUNKS = 256;
/** Bodies with a smaller average chunk size are throttled: their clients are served in turns. */
const SMALL_CHUNK_BYTES = 512;
/** Bodies with a smaller average chunk size are rejected. */
const TINY_CHUNK_BYTES = 8;

/** Options of {@link guardWire}. */
interface WireGuardOptions {
  /** Closes a connection that costs too much, and counts the violation against its client. */
  reject(socket: Socket): void;
  /** Returns a text that identifies the client of a connection. */
  clientOf(socket: Socket): string;
}

/** Wraps a request listener. Requests of rejected connections never reach it. */
export function guardWire(handle: RequestListener, { reject, clientOf }: WireGuardOptions): RequestListener {
  const pipelined = new WeakMap<Socket, number>();
  const reading = createFairScheduler({ maxPerIteration: 1, maxWaitingPerClient: Number.POSITIVE_INFINITY });

  /** Counts a request that waits for the responses to earlier ones. Returns false if there are too many. */
  function countPipelined(socket: Socket, response: ServerResponse): boolean {
    const count = (pipelined.get(socket) ?? 0) + 1;
    if (count > MAX_PIPELINED) return false;
    pipelined.set(socket, count);
    response.once('socket', () => pipelined.set(socket, (pipelined.get(socket) ?? 1) - 1));
    return true;
  }

  /** Throttles bodies of small chunks, and rejects bodies of tiny ones. */
  function watchChunks(request: IncomingMessage, socket: Socket): void {
    const push = request.push.bind(request);
    let chunks = 0;
    let bytes = 0;
    let isPaused = false;
    const resume = () => {
      isPaused = false;
      socket.resume();
    };
    const countAndPush: IncomingMessage['push'] = (chunk: Buffer | null, encoding) => {
      chunks += 1;
      bytes += chunk?.length ?? 0;
      if (socket.destroyed) return false;
      if (chunks > FEW_CHUNKS && chunk !== null) {
        if (bytes < chunks * TINY_CHUNK_BYTES) reject(socket);
        else if (bytes < chunks * SMALL_CHUNK_BYTES && !isPaused) {
          isPaused = true;
          socket.pause();
          // Scheduled for the next iteration of the event loop; in this one the socket would be read again before any
          // other.
          setImmediate(() => reading.schedule(clientOf(socket), resume));
        }
      }
      return push(chunk, encoding);
    };
    request.push = countAndPush;
  }

  return (request, response) => {
    const { socket } = request;
    if (!socket.destroyed && response.socket === null && !countPipelined(socket, response)) reject(socket);
    if (socket.destroyed) {
      // The parser continues to the end of its buffer. Node.js would later abort each of these requests at a higher
      // cost.
      request.destroy();
      return;
    }
    if (request.headers['transfer-encoding'] !== undefined && socket.bytesRead !== undefined) {
      watchChunks(request, socket);
    }
    handle(request, response);
  };
}
