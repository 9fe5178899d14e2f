/** A client of protocol 2.0.0 with minimal work, so that the server is measured. */
import { once } from 'node:events';
import { WebSocket } from 'ws';

/** Kind of a frame with which a client broadcasts bytes or JSON to all subscribers of its topic. */
const USER_BROADCAST_PUSH = 3;
const JSON_ENCODING = 1;

interface ChannelOptions {
  /** URL of the service: `ws://…/realtime/v1`. */
  url: string;
  apiKey: string;
  /** Without `realtime:`. */
  topic: string;
  /** Token of the user who joins. Default: the API key's own role. */
  token?: string;
  /** Table to subscribe to; the promise then resolves when the subscription is active. */
  table?: string;
}

/** Opens a socket and joins one channel. Resolves when all messages are received. */
export async function openChannel(options: ChannelOptions): Promise<WebSocket> {
  const { url, apiKey, topic, token, table } = options;
  const socket = new WebSocket(`${url}/websocket?apikey=${apiKey}&vsn=2.0.0`);
  await once(socket, 'open');
  const changes = table === undefined ? [] : [{ event: '*', schema: 'public', table }];
  const config = { broadcast: { ack: false, self: false }, presence: {}, postgres_changes: changes };
  const payload = { config, ...(token !== undefined && { access_token: token }) };
  const reply = next(socket, (text) => text.includes('phx_reply'));
  const subscribed = table === undefined ? undefined : next(socket, isSubscribed);
  socket.send(JSON.stringify(['1', '1', `realtime:${topic}`, 'phx_join', payload]));
  const response = await reply;
  if (!response.includes('"status":"ok"')) throw new Error(response);
  await subscribed;
  return socket;
}

function isSubscribed(text: string): boolean {
  return text.includes('Subscribed to PostgreSQL');
}

/** Resolves with the first message that matches. Listens at once, because messages may arrive together. */
function next(socket: WebSocket, matches: (text: string) => boolean): Promise<string> {
  return new Promise((resolve, reject) => {
    const onMessage = (data: Buffer) => {
      const text = String(data);
      if (!matches(text)) return;
      socket.off('message', onMessage);
      resolve(text);
    };
    socket.on('message', onMessage);
    socket.once('close', () => reject(new Error('the server closed the socket')));
  });
}

/** Encodes a broadcast like the official client. */
export function broadcastFrame(topic: string, event: string, json: string): Buffer {
  const fields = ['1', '2', `realtime:${topic}`, event, ''].map((text) => Buffer.from(text));
  const lengths = fields.map((field) => field.length);
  return Buffer.concat([
    Buffer.from([USER_BROADCAST_PUSH, ...lengths, JSON_ENCODING]),
    ...fields,
    Buffer.from(json),
  ]);
}
