/** Realtime operations: broadcasts between sockets, changes of a table, and new sockets that join a channel. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { frame, joinFrame } from '../realtime-frames.ts';
import { REQUEST_TIMEOUT_MS, type SendRequest } from './http-client.ts';
import type { ClientsInput, Person } from './input.ts';
import type { Operation } from './operation.ts';

const HEARTBEAT_MS = 15_000;
const TOPIC = 'well-behaved';
const CHANGES_TOPIC = 'changes';
const CHANGES = [{ event: 'INSERT', schema: 'public', table: 'abuse_items' }];

/** Pending expectations: callbacks by a text that the message must contain. */
type Expectations = Map<string, () => void>;

/** Returns the operations. They use sockets of the first users, which are opened at first use and after a close. */
export function realtimeOperations(input: ClientsInput, send: SendRequest): Operation[] {
  const expectations: Expectations = new Map();
  const [one, other, watcher] = input.people;
  if (!one || !other || !watcher) throw new Error('realtime requires three users');
  const onText = (text: string) => {
    for (const [expected, resolve] of expectations) if (text.includes(expected)) resolve();
  };
  const sender = reconnectingSocket(() => join(input, one, joinFrame(TOPIC, 1), onText));
  const receiver = reconnectingSocket(() => join(input, other, joinFrame(TOPIC, 1), onText));
  const changes = reconnectingSocket(async () => {
    const options = { accessToken: watcher.accessToken, changes: CHANGES };
    const subscribed = expectMessage(expectations, 'Subscribed to PostgreSQL', 'subscription');
    const socket = await join(input, watcher, joinFrame(CHANGES_TOPIC, 1, options), onText);
    await subscribed;
    return socket;
  });

  const broadcast = async () => {
    const [from] = await Promise.all([sender(), receiver()]);
    const id = randomUUID();
    const received = expectMessage(expectations, id, 'broadcast');
    from.send(frame(1, 2, TOPIC, 'broadcast', { type: 'broadcast', event: 'note', payload: { id } }));
    await received;
  };
  const change = async (person: Person) => {
    await changes();
    const id = randomUUID();
    const received = expectMessage(expectations, id, 'database change');
    const headers = {
      apikey: input.anonKey,
      authorization: `Bearer ${person.accessToken}`,
      prefer: 'return=minimal',
    };
    const { address } = person;
    await Promise.all([
      send({ address, path: '/rest/v1/abuse_items', headers, body: { title: id }, expects: [201] }),
      received,
    ]);
  };
  const joinNew = async (person: Person) => {
    const socket = await join(input, person, joinFrame(`new-${randomUUID()}`, 1), () => {});
    socket.close();
  };
  return [
    { service: 'realtime', name: 'broadcast', perSecond: 3, run: broadcast },
    { service: 'realtime', name: 'change', perSecond: 1.5, run: change },
    { service: 'realtime', name: 'join', perSecond: 1, run: joinNew },
  ];
}

/** Resolves when a message with the text arrives. */
function expectMessage(expectations: Expectations, expected: string, name: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(() => reject(new Error(`${name} not delivered in 10 s`)), REQUEST_TIMEOUT_MS);
  expectations.set(expected, resolve);
  const received = promise.finally(() => {
    clearTimeout(timer);
    expectations.delete(expected);
  });
  // Prevents an unhandled rejection if the caller's request fails first.
  received.catch(() => undefined);
  return received;
}

/** Returns a function that opens a socket at the first call, and another one after it was closed. */
function reconnectingSocket(open: () => Promise<WebSocket>): () => Promise<WebSocket> {
  let opening: Promise<WebSocket> | undefined;
  const reset = () => {
    opening = undefined;
  };
  return async () => {
    opening ??= open().then((socket) => {
      socket.once('close', reset);
      return socket;
    });
    opening.catch(reset);
    return opening;
  };
}

/** Opens a socket and joins one channel. */
async function join(
  { url, anonKey }: ClientsInput,
  { address }: Person,
  joinMessage: string,
  onText: (text: string) => void,
): Promise<WebSocket> {
  const socket = new WebSocket(
    `${url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${anonKey}&vsn=2.0.0`,
    {
      localAddress: address,
      handshakeTimeout: REQUEST_TIMEOUT_MS,
    },
  );
  const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  try {
    await once(socket, 'open', { signal });
    socket.on('error', () => socket.terminate());
    const replied = waitForReply(socket, signal);
    socket.on('message', (data: Buffer) => onText(data.toString('utf8')));
    socket.send(joinMessage);
    await replied;
  } catch (error) {
    socket.on('error', () => {});
    socket.terminate();
    throw new Error(`socket: ${signal.aborted ? 'no response within 10 s' : (error as Error).message}`);
  }
  const heartbeat = setInterval(() => {
    socket.send(JSON.stringify([null, '0', 'phoenix', 'heartbeat', {}]));
  }, HEARTBEAT_MS);
  socket.once('close', () => clearInterval(heartbeat));
  return socket;
}

async function waitForReply(socket: WebSocket, signal: AbortSignal): Promise<void> {
  const closed = once(socket, 'close', { signal }).then(() => {
    throw new Error('the server closed the socket');
  });
  closed.catch(() => undefined);
  const waitUntilAccepted = async () => {
    for (;;) {
      const [data] = await once(socket, 'message', { signal });
      const text = String(data);
      if (!text.includes('phx_reply')) continue;
      if (text.includes('"status":"ok"')) return;
      throw new Error(text.slice(0, 200));
    }
  };
  await Promise.race([waitUntilAccepted(), closed]);
}
