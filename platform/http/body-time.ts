/**
 * Limits the time in which a body must arrive. Node.js has one timeout for all requests, but a large file over a slow
 * line may take hours, as long as some of it keeps arriving.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** Timeouts in milliseconds. */
export interface BodyTimes {
  /** Time for a whole body. */
  totalMs: number;
  /** Maximum pause of a body that is read as a stream; the total time is not limited. */
  pauseMs: number;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the body is read as a stream, so that only its pauses are limited. */
    streamsBody?: boolean;
  }
}

/** Monitors the body of a request, if it has one and arrives over a connection, and calls `onTimeout` once. */
export function limitBodyTime(
  request: IncomingMessage,
  streamsBody: boolean,
  { totalMs, pauseMs }: BodyTimes,
  onTimeout: (socket: Socket) => void,
): void {
  const { headers, socket } = request;
  // An injected request has no connection that could be late, and never closes.
  if (socket.bytesRead === undefined) return;
  if (headers['transfer-encoding'] === undefined && !(Number(headers['content-length']) > 0)) return;
  let received = socket.bytesRead;
  const timer = streamsBody ? setInterval(checkProgress, pauseMs) : setTimeout(end, totalMs);
  timer.unref();
  request.once('close', () => clearTimeout(timer));

  function checkProgress(): void {
    // Nothing can arrive while the socket is paused.
    if (socket.bytesRead === received && !socket.isPaused()) end();
    received = socket.bytesRead;
  }

  function end(): void {
    clearTimeout(timer);
    if (!request.complete) onTimeout(socket);
  }
}
