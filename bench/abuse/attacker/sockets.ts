/** Realtime sockets of attackers. */
import { WebSocket } from 'ws';
import type { AttackContext } from './attack.ts';

const HANDSHAKE_MS = 8000;

/** Opens a socket. Resolves with undefined if it is refused. Counts the refusal, or the close code of a later end. */
function openSocket(context: AttackContext): Promise<WebSocket | undefined> {
  const url = `${context.url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${context.anonKey}&vsn=2.0.0`;
  return new Promise((resolve) => {
    const socket = new WebSocket(url, { localAddress: context.address, handshakeTimeout: HANDSHAKE_MS });
    socket.once('open', () => {
      context.tally.count('opened');
      resolve(socket);
    });
    socket.once('unexpected-response', (_request, response) => {
      context.tally.count(`handshake ${response.statusCode}`);
      socket.terminate();
      resolve(undefined);
    });
    socket.on('error', () => resolve(undefined));
    socket.on('close', (code) => {
      if (!context.signal.aborted) context.tally.count(`closed ${code}`);
      resolve(undefined);
    });
  });
}

/** Opens `count` sockets, `concurrency` of them concurrently. Stops early when the attack is over. */
export async function openSockets(
  context: AttackContext,
  {
    count,
    concurrency = 50,
    onOpen,
  }: { count: number; concurrency?: number; onOpen?: (socket: WebSocket, index: number) => void },
): Promise<WebSocket[]> {
  const sockets: WebSocket[] = [];
  const indexes = Array.from({ length: count }, (_, index) => index).values();
  const opener = async () => {
    for (const index of indexes) {
      if (context.signal.aborted) return;
      const socket = await openSocket(context);
      if (socket === undefined) continue;
      sockets.push(socket);
      onOpen?.(socket, index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, count) }, opener));
  return sockets;
}
