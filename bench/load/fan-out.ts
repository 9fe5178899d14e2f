/** Broadcasts to a number of subscribers; a call ends when all of them have received the broadcast. */
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { loadInput, serveLoad } from '../measure/load-process.ts';
import { broadcastFrame, openChannel } from '../realtime/phoenix-socket.ts';

interface FanOutInput {
  /** URL of the service, or of the reference, which has no channels. */
  url: string;
  apiKey: string | undefined;
  subscribers: number;
  /** Number of concurrent broadcasts. */
  inFlight: number;
}

const TOPIC = 'bench';
const TEXT = 'x'.repeat(100);

const { url, apiKey, subscribers, inFlight } = loadInput<FanOutInput>();
const open = async () => {
  if (apiKey !== undefined) return openChannel({ url, apiKey, topic: TOPIC });
  const socket = new WebSocket(url);
  await once(socket, 'open');
  return socket;
};
const sender = await open();
const waiting = new Map<number, { left: number; resolve: () => void }>();
for (let i = 0; i < subscribers; i += 1) (await open()).on('message', onMessage);
let count = 0;

/** Each broadcast ends with its number: `…"n":17}`. */
function onMessage(data: Buffer): void {
  const n = Number(data.toString('latin1', data.lastIndexOf(':') + 1, data.length - 1));
  const call = waiting.get(n);
  if (call === undefined) return;
  call.left -= 1;
  if (call.left > 0) return;
  waiting.delete(n);
  call.resolve();
}

serveLoad(inFlight, () => {
  count += 1;
  const json = `{"text":"${TEXT}","n":${count}}`;
  const { promise, resolve } = Promise.withResolvers<void>();
  waiting.set(count, { left: subscribers, resolve });
  sender.send(apiKey === undefined ? json : broadcastFrame(TOPIC, 'e', json));
  return promise;
});
