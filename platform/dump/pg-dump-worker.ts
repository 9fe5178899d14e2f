/**
 * Runs pg_dump, compiled to WebAssembly, in a thread. It reads and writes its connection synchronously, so this thread
 * sends each message to the main thread and sleeps until the response is there.
 */
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { pgDump } from '@electric-sql/pglite-tools/pg_dump';

/** The data of this thread. */
export interface PgDumpInput {
  /** Receives a message of pg_dump, and sends the response to it. */
  port: MessagePort;
  /** One 32-bit integer: 1 when a response was sent. */
  responded: SharedArrayBuffer;
  args: readonly string[];
}

/** The message at the end of this thread. */
export type PgDumpOutput = { text: string } | { error: string };

/** A message of pg_dump. */
export interface PgDumpMessage {
  kind: 'startup' | 'query';
  bytes: Uint8Array;
}

/** Requests of an encrypted connection, which pg_dump sends before its startup message. */
const ENCRYPTION_REQUESTS = [80_877_103, 80_877_104];

const { port, responded, args }: PgDumpInput = workerData;
const signal = new Int32Array(responded);
let received = Buffer.alloc(0);
let isStarted = false;

function exchange(message: PgDumpMessage): Uint8Array {
  port.postMessage(message);
  Atomics.wait(signal, 0, 0);
  Atomics.store(signal, 0, 0);
  return receiveMessageOnPort(port)?.message;
}

/** Returns the next complete message, if all of it was written. The first one has no type. */
function nextMessage(): Buffer | undefined {
  const start = isStarted ? 1 : 0;
  if (received.length < start + 4) return undefined;
  const length = start + received.readInt32BE(start);
  if (received.length < length) return undefined;
  const message = received.subarray(0, length);
  received = received.subarray(length);
  return message;
}

/** Returns the response to a message; undefined if it has none. */
function respond(message: Buffer): Uint8Array | undefined {
  if (!isStarted) {
    if (ENCRYPTION_REQUESTS.includes(message.readInt32BE(4))) return Buffer.from('N');
    isStarted = true;
    return exchange({ kind: 'startup', bytes: Uint8Array.from(message) });
  }
  const type = String.fromCharCode(message[0] ?? 0);
  if (type === 'X') return undefined;
  if (type !== 'Q') throw new Error(`pg_dump sent a message of the unsupported type ${type}`);
  return exchange({ kind: 'query', bytes: Uint8Array.from(message) });
}

/** The part of a PGlite database that the package uses. */
const database = {
  query: async () => ({ rows: [{ search_path: '' }] }),
  exec: async () => undefined,
  execProtocolRawStream(bytes: Uint8Array, options: { onRawData: (data: Uint8Array) => void }): void {
    received = Buffer.concat([received, bytes]);
    for (let message = nextMessage(); message !== undefined; message = nextMessage()) {
      const response = respond(message);
      if (response !== undefined) options.onRawData(response);
    }
  },
};

function send(output: PgDumpOutput): void {
  parentPort?.postMessage(output);
}

try {
  const pg = database as unknown as Parameters<typeof pgDump>[0]['pg'];
  send({ text: await (await pgDump({ pg, args: [...args] })).text() });
} catch (error) {
  send({ error: (error as Error).message });
}
