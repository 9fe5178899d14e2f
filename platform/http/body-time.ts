/**
 * How long a body may take to arrive. Node.js has one time for all requests; a large file on a slow line may take hours,
 * as long as something of it comes.
 */
import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';

/** In milliseconds. */
export interface BodyTimes {
  /** A whole body. */
  wholeMs: number;
  /** The longest pause of a body that is read while it comes, however long the whole takes. */
  pauseMs: number;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body may take its time: it is read while it comes. */
    streamsBody?: boolean;
  }
}

/** Watches over the body of a request, if it has one and came by a connection, and calls `onLate` once. */
export function limitBodyTime(
  request: IncomingMessage,
  streamsBody: boolean,
  { wholeMs, pauseMs }: BodyTimes,
  onLate: (socket: Socket) => void,
): void {
  const { headers, socket } = request;
  // A request that is injected has no connection that could be late, and never closes.
  if (!(socket instanceof Socket)) return;
  if (headers['transfer-encoding'] === undefined && !(Number(headers['content-length']) > 0)) return;
  let received = socket.bytesRead;
  const timer = streamsBody ? setInterval(look, pauseMs) : setTimeout(end, wholeMs);
  timer.unref();
  request.once('close', () => clearTimeout(timer));

  function look(): void {
    // While nobody reads, nothing can come.
    if (socket.bytesRead === received && !socket.isPaused()) end();
    received = socket.bytesRead;
  }

  function end(): void {
    clearTimeout(timer);
    if (!request.complete) onLate(socket);
  }
}
