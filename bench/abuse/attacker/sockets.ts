/** Realtime sockets of attackers. */
import { WebSocket } from 'ws';
import type { AttackContext } from './attack.ts';

const HANDSHAKE_MS = 8000;

/** Opens a socket; counts and returns undefined where it is refused. Counts the code of a socket that ends later. */
export function openSocket(at: AttackContext): Promise<WebSocket | undefined> {
  const url = `${at.url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${at.anonKey}&vsn=2.0.0`;
  return new Promise((resolve) => {
    const socket = new WebSocket(url, { localAddress: at.address, handshakeTimeout: HANDSHAKE_MS });
    socket.once('open', () => {
      at.tally.count('opened');
      resolve(socket);
    });
    socket.once('unexpected-response', (_request, answer) => {
      at.tally.count(`handshake ${answer.statusCode}`);
      socket.terminate();
      resolve(undefined);
    });
    socket.on('error', () => resolve(undefined));
    socket.on('close', (code) => {
      if (!at.signal.aborted) at.tally.count(`closed ${code}`);
      resolve(undefined);
    });
  });
}

/** Opens sockets, a few at once, until there are enough or the attack is over. */
export async function openSockets(
  at: AttackContext,
  {
    count,
    atOnce = 50,
    onOpen,
  }: { count: number; atOnce?: number; onOpen?: (socket: WebSocket, index: number) => void },
): Promise<WebSocket[]> {
  const sockets: WebSocket[] = [];
  const indexes = Array.from({ length: count }, (_, index) => index).values();
  const opener = async () => {
    for (const index of indexes) {
      if (at.signal.aborted) return;
      const socket = await openSocket(at);
      if (socket === undefined) continue;
      sockets.push(socket);
      onOpen?.(socket, index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, opener));
  return sockets;
}

/** Options of {@link joinFrame}. */
export interface JoinOptions {
  isPrivate?: boolean;
  accessToken?: string;
  presenceKey?: string;
  changes?: readonly object[];
}

/** A frame that joins a topic. @param ref also the channel's join reference */
export function joinFrame(topic: string, ref: number, options: JoinOptions = {}): string {
  const { isPrivate = false, accessToken, presenceKey = '', changes = [] } = options;
  const config = {
    broadcast: { ack: false, self: false },
    presence: { key: presenceKey, enabled: presenceKey !== '' },
    postgres_changes: changes,
    private: isPrivate,
  };
  const payload = { config, ...(accessToken !== undefined && { access_token: accessToken }) };
  return frame(ref, ref, topic, 'phx_join', payload);
}

/** A text frame of protocol 2.0.0. */
export function frame(joinRef: number, ref: number, topic: string, event: string, payload: object): string {
  return JSON.stringify([String(joinRef), String(ref), `realtime:${topic}`, event, payload]);
}
