/** Passes a WebSocket handshake to the process of a function, and then the bytes of both sides. */
import { connect, type Socket } from 'node:net';
import type { Upgrade } from '@greenroom/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Worker } from '../runtime/worker.ts';
import { requestHeaders } from './headers.ts';

/** Options of {@link relayUpgrade}. */
interface RelayUpgradeOptions {
  request: FastifyRequest;
  reply: FastifyReply;
  upgrade: Upgrade;
  worker: Worker;
  /** Path and query that the function sees. */
  path: string;
}

/** Resolves when one of both sides has closed the connection. Rejects if the process cannot be reached. */
export async function relayUpgrade(options: RelayUpgradeOptions): Promise<void> {
  const { request, reply, upgrade, worker, path } = options;
  const upstream = await connectTo(worker.socket);
  const { socket, head } = upgrade;
  reply.hijack();
  upgrade.detach();
  upstream.write(handshakeOf(request, path));
  if (head.length > 0) upstream.write(head);
  const ends = [closed(socket), closed(upstream)];
  socket.pipe(upstream);
  upstream.pipe(socket);
  await Promise.race(ends);
  socket.destroy();
  upstream.destroy();
}

async function connectTo(path: string): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect(path);
  socket.once('connect', resolve).once('error', reject);
  await promise;
  return socket;
}

function closed(socket: Socket): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  // An error is followed by `close`.
  socket.on('error', () => undefined);
  socket.once('close', () => resolve());
  return promise;
}

function handshakeOf(request: FastifyRequest, path: string): string {
  const headers = [...requestHeaders({ request, path }), 'Connection', 'Upgrade', 'Upgrade', 'websocket'];
  const lines = [`${request.method} ${path} HTTP/1.1`];
  for (let index = 0; index < headers.length; index += 2)
    lines.push(`${headers[index]}: ${headers[index + 1]}`);
  return `${lines.join('\r\n')}\r\n\r\n`;
}
