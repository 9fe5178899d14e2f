/**
 * Runs pg_dump on any server. The embedded PostgreSQL has no client programs, and those of the system are often older than
 * the server, so this is pg_dump 18 compiled to WebAssembly, which needs neither. Its connection is one of `pg`, which
 * knows URLs, passwords and TLS.
 */
import { MessageChannel, Worker } from 'node:worker_threads';
import { programFile } from '@greenroom/builds/program-file';
import pg from 'pg';
import { DumpError } from './dump-error.ts';
import type { PgDumpInput, PgDumpMessage, PgDumpOutput } from './pg-dump-worker.ts';
import { ResponseCollector, startupResponse } from './wire.ts';

const CONNECTION_TIMEOUT_MS = 15_000;

type DataListener = (data: Buffer) => void;

/** The undocumented part of pg's client that transports bytes. */
interface RawConnection {
  stream: {
    on(event: 'data', listener: DataListener): void;
    listeners(event: 'data'): DataListener[];
    removeAllListeners(event: 'data'): void;
    write(data: Uint8Array): void;
    destroy(): void;
  };
  on(event: 'parameterStatus', listener: (message: ParameterStatus) => void): void;
}

interface ParameterStatus {
  parameterName: string;
  parameterValue: string;
}

/**
 * Returns the output of pg_dump with these arguments.
 * @param url connection URL
 * @throws DumpError if the database cannot be reached, or if pg_dump fails
 */
export async function runPgDump(url: string, args: readonly string[]): Promise<string> {
  const connection = await connectForDump(url);
  try {
    return await runPgDumpOn(connection, args);
  } finally {
    disconnect(connection);
  }
}

/** A connection of `pg` that pg_dump can use, and the parameters that the server reported. */
interface DumpConnection {
  client: pg.Client;
  parameters: ReadonlyMap<string, string>;
}

/** Closes a connection at once. The server ends the session when its socket is closed. */
export function disconnect({ client }: DumpConnection): void {
  rawConnectionOf(client).stream.destroy();
}

/** Connects. Rejects with a DumpError, which does not contain the password. */
export async function connectForDump(url: string): Promise<DumpConnection> {
  const parameters = new Map<string, string>();
  try {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'greenroom dump',
      connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    });
    client.on('error', () => undefined);
    rawConnectionOf(client).on('parameterStatus', ({ parameterName, parameterValue }) =>
      parameters.set(parameterName, parameterValue),
    );
    await client.connect();
    return { client, parameters };
  } catch (error) {
    const { host } = new URL(url);
    const { message } = error instanceof AggregateError ? (error.errors[0] as Error) : (error as Error);
    throw new DumpError(`cannot connect to ${host}: ${message}`, { cause: error });
  }
}

function rawConnectionOf(client: pg.Client): RawConnection {
  return (client as unknown as { connection: RawConnection }).connection;
}

/** Runs pg_dump on a connection on which no other statement runs. Its session keeps the settings of pg_dump. */
export async function runPgDumpOn(
  { client, parameters }: DumpConnection,
  args: readonly string[],
): Promise<string> {
  const { stream } = rawConnectionOf(client);
  const listeners = stream.listeners('data');
  const { port1: port, port2 } = new MessageChannel();
  const responded = new SharedArrayBuffer(4);
  const workerData: PgDumpInput = { port: port2, responded, args };
  const worker = new Worker(programFile(new URL('./pg-dump-worker.ts', import.meta.url)), {
    workerData,
    transferList: [port2],
  });
  const respond = (bytes: Buffer) => {
    port.postMessage(Uint8Array.from(bytes));
    Atomics.store(new Int32Array(responded), 0, 1);
    Atomics.notify(new Int32Array(responded), 0);
  };
  const collector = new ResponseCollector();
  stream.removeAllListeners('data');
  stream.on('data', (data) => {
    const response = collector.add(data);
    if (response !== undefined) respond(response);
  });
  port.on('message', ({ kind, bytes }: PgDumpMessage) => {
    if (kind === 'startup') respond(startupResponse(parameters));
    else stream.write(bytes);
  });
  try {
    return textOf(await outputOf(worker, client));
  } finally {
    port.close();
    await worker.terminate();
    stream.removeAllListeners('data');
    for (const listener of listeners) stream.on('data', listener);
  }
}

/** A lost connection leaves the thread waiting, so it ends the dump, too. */
function outputOf(worker: Worker, client: pg.Client): Promise<PgDumpOutput> {
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    client.once('error', ({ message }) => resolve({ error: message }));
    client.once('end', () => resolve({ error: 'the connection was closed' }));
  });
}

/** Errors of pg_dump begin with its exit code and the name of its program, which is that of the thread here. */
function textOf(output: PgDumpOutput): string {
  if ('text' in output) return output.text;
  const [, message = output.error] = /: error: ([\s\S]*)/.exec(output.error) ?? [];
  throw new DumpError(`the database cannot be dumped: ${message.trim()}`);
}
