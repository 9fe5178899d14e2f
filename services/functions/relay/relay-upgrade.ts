/** Passes a WebSocket handshake to the process of a function, and then the bytes of both sides if it accepts. */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Upgrade } from '@greenroom/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Worker } from '../runtime/worker.ts';
import { sendToWorker } from './exchange.ts';
import { explainFailure } from './explain-failure.ts';
import { responseHeaders } from './headers.ts';
import { sendResponse } from './relay-request.ts';

/** Options of {@link relayUpgrade}. */
interface RelayUpgradeOptions {
  request: FastifyRequest;
  reply: FastifyReply;
  upgrade: Upgrade;
  worker: Worker;
  /** Path and query that the function sees. */
  path: string;
  /** Whether markup is passed on as it is. */
  servesMarkup: boolean;
}

/**
 * Resolves when one of both sides has closed the connection, or when another response than an acceptance has been sent.
 * Rejects with an error of the catalogue if there is no response.
 */
export async function relayUpgrade(options: RelayUpgradeOptions): Promise<void> {
  const { reply, upgrade, worker } = options;
  const { upstream, head } = sendToWorker({ ...options, isHandshake: true });
  const stopOnClientEnd = () => upstream.destroy();
  reply.raw.once('close', stopOnClientEnd);
  try {
    upstream.end();
    const { response, accepted } = await head;
    // After another response than an acceptance, a proxy may send requests of others on this connection.
    if (accepted === undefined) return await sendResponse(response, options);
    reply.hijack();
    upgrade.detach();
    upgrade.socket.write(acceptanceOf(response), 'latin1');
    await connectBoth(upgrade, accepted);
  } catch (error) {
    if (reply.raw.destroyed && !reply.raw.headersSent) return;
    throw await explainFailure(error, worker);
  } finally {
    reply.raw.off('close', stopOnClientEnd);
  }
}

/** Resolves when one of both sides has closed the connection. */
async function connectBoth(
  { socket, head }: Upgrade,
  { socket: upstream, rest }: { socket: Socket; rest: Buffer },
): Promise<void> {
  const ends = [closed(socket), closed(upstream)];
  if (head.length > 0) upstream.write(head);
  if (rest.length > 0) socket.write(rest);
  socket.pipe(upstream);
  upstream.pipe(socket);
  await Promise.race(ends);
  socket.destroy();
  upstream.destroy();
}

function closed(socket: Socket): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  // An error is followed by `close`.
  socket.on('error', () => undefined);
  socket.once('close', () => resolve());
  return promise;
}

/** Returns the head of the response that accepts a handshake (RFC 6455 §4.2.2). */
function acceptanceOf({ rawHeaders, headers }: IncomingMessage): string {
  const kept = responseHeaders(rawHeaders, headers);
  const lines = ['HTTP/1.1 101 Switching Protocols', 'Connection: Upgrade', 'Upgrade: websocket'];
  for (let index = 0; index < kept.length; index += 2) lines.push(`${kept[index]}: ${kept[index + 1]}`);
  return `${lines.join('\r\n')}\r\n\r\n`;
}
