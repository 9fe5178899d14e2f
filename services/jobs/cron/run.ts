/** One run of a job, on a separate connection. */
import { setTimeout as sleep } from 'node:timers/promises';
import { cancelOnAbort, endWithTimeout } from '@greenroom/postgres';
import pg from 'pg';
import { type Outcome, runCommand } from './command.ts';

const CONNECT_TIMEOUT_MS = 10_000;
/** A command that ignores cancel requests ends with its connection. */
const CANCEL_TIMEOUT_MS = 5000;
/** The server ends the command of a node that has vanished. Not all systems support the parameter. */
const DETECT_LOST_CLIENT = `set client_connection_check_interval = '10s'`;

/** The outcome of a run that its job did not survive. */
export const CANCELED: Outcome = { status: 'failed', message: 'job canceled' };

/** Options of {@link runJob}. */
interface RunOptions {
  /** Connection URL of the owner in the database of the job. */
  url: string;
  command: string;
  /** Cancels the run. */
  signal: AbortSignal;
  /** Called with the id of the server process before the command is sent. If it rejects, the command is not sent. */
  onConnected: (pid: number) => Promise<void>;
}

/** Runs a command. Rejects only if `onConnected` rejects. */
export async function runJob({ url, command, signal, onConnected }: RunOptions): Promise<Outcome> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'pg_cron',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  client.on('error', () => undefined);
  try {
    const failure = await connect(client);
    if (failure !== undefined) return failure;
    await onConnected((client as unknown as { processID: number }).processID);
    if (signal.aborted) return CANCELED;
    const outcome = await Promise.race([
      cancelOnAbort(client, runCommand(client, command), signal),
      timeoutAfter(signal),
    ]);
    return signal.aborted ? CANCELED : outcome;
  } finally {
    await endWithTimeout(client);
  }
}

async function connect(client: pg.Client): Promise<Outcome | undefined> {
  try {
    await client.connect();
  } catch (error) {
    const { message, code } = error as Error & { code?: string };
    return { status: 'failed', message: `connection failed: ${message}`, code };
  }
  await client.query(DETECT_LOST_CLIENT).catch(() => undefined);
  return undefined;
}

/** Resolves some time after the signal has aborted. */
async function timeoutAfter(signal: AbortSignal): Promise<Outcome> {
  if (!signal.aborted) {
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  }
  await sleep(CANCEL_TIMEOUT_MS, undefined, { ref: false });
  return CANCELED;
}
