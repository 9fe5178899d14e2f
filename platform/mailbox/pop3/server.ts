/** A POP3 server of the mailbox: reads commands from connections and writes the replies of their sessions. */
import type { Socket } from 'node:net';
import { type LoopbackServer, serveLoopback } from '../loopback.ts';
import type { Mails } from '../mails/mails.ts';
import { error, type Reply } from './replies.ts';
import { createPop3Session, type Pop3Session } from './session.ts';

/** Options of {@link startPop3Server}. */
interface Pop3Options {
  port: number;
  mails: Pick<Mails, 'list' | 'find' | 'remove'>;
  onError: (error: unknown) => void;
}

const MAX_CONNECTIONS = 10;
/** RFC 2449 §4: a command has at most 255 bytes. */
const MAX_COMMAND_BYTES = 255;
/** RFC 1939 §3: at least ten minutes. */
const IDLE_MS = 10 * 60_000;
const LIFETIME_MS = 60 * 60_000;
const TOO_LONG: Reply = { ...error('the command is too long'), ends: true };

/** Starts the server. Rejects if the port is taken. */
export function startPop3Server({ port, mails, onError }: Pop3Options): Promise<LoopbackServer> {
  return serveLoopback({
    port,
    maxConnections: MAX_CONNECTIONS,
    idleMs: IDLE_MS,
    lifetimeMs: LIFETIME_MS,
    onConnection(socket) {
      const unavailable = (reason: unknown) => {
        onError(reason);
        return { ...error('the mailbox is not available'), ends: true };
      };
      converse(socket, createPop3Session(mails), unavailable)
        .catch(onError)
        .finally(() => socket.destroySoon());
    },
  });
}

/** Handles the commands of a connection one after the other; the socket is not read meanwhile. */
async function converse(
  socket: Socket,
  session: Pop3Session,
  unavailable: (reason: unknown) => Reply,
): Promise<void> {
  await write(socket, session.greeting);
  for await (const line of commandsOf(socket)) {
    const reply = line === undefined ? TOO_LONG : await session.handle(line).catch(unavailable);
    await write(socket, reply);
    if (reply.ends) return;
  }
}

/** Yields the lines of a connection, and undefined instead of one that is too long. */
async function* commandsOf(socket: Socket): AsyncGenerator<string | undefined> {
  let rest = '';
  for await (const chunk of chunksOf(socket)) {
    const lines = (rest + chunk.toString('latin1')).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield line.length > MAX_COMMAND_BYTES ? undefined : line.replace(/\r$/, '');
    if (rest.length > MAX_COMMAND_BYTES) yield undefined;
  }
}

/** Yields the input until the connection ends, in whichever way. */
async function* chunksOf(socket: Socket): AsyncGenerator<Buffer> {
  try {
    // The last reply must still be written.
    for await (const chunk of socket.iterator({ destroyOnReturn: false })) yield chunk as Buffer;
  } catch (reason) {
    if (!socket.destroyed) throw reason;
  }
}

/** Writes a reply, and waits until the client has read enough of it. */
async function write(socket: Socket, { bytes }: Reply): Promise<void> {
  if (socket.destroyed || socket.write(bytes)) return;
  await new Promise<void>((resolve) => {
    const done = () => {
      socket.off('drain', done).off('close', done);
      resolve();
    };
    socket.once('drain', done).once('close', done);
  });
}
