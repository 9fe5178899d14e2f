/** Waits until a starting PostgreSQL is ready. Its own log reports that, or why it failed. */
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';

const READY = 'database system is ready to accept connections';
/** Number of last log lines that the error contains if the server ends before it is ready. */
const SHOWN_LINES = 5;

/** Limits of the wait for a server. */
interface ReadyTimeouts {
  /** Maximum time without a log line: a long recovery logs its progress every ten seconds. */
  idleMs: number;
  /** Maximum time in total. Default: none. */
  totalMs?: number | undefined;
}

/**
 * Resolves when the server logs that it is ready. Rejects with its last lines if it ends before, and after a timeout.
 * `onLog` receives all lines, including those after the server is ready.
 */
export function waitUntilReady(
  child: ChildProcess,
  { idleMs, totalMs }: ReadyTimeouts,
  onLog: (line: string) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const lastLines: string[] = [];
    const lines = child.stderr ? createInterface({ input: child.stderr }) : undefined;
    const settle = (outcome: () => void) => {
      clearTimeout(idleTimer);
      clearTimeout(totalTimer);
      lines?.off('line', onStartLine);
      outcome();
    };
    const fail = (message: string) => settle(() => reject(new Error(message)));
    const idleTimer = setTimeout(() => fail('PostgreSQL did not become ready in time'), idleMs);
    const totalTimer = totalMs === undefined ? undefined : setTimeout(() => fail(tooLate(totalMs)), totalMs);
    const onStartLine = (line: string) => {
      idleTimer.refresh();
      lastLines.push(line);
      if (lastLines.length > SHOWN_LINES) lastLines.shift();
      if (line.includes(READY)) settle(resolve);
    };
    lines?.on('line', onStartLine).on('line', onLog);
    child.once('error', (error) => fail(`PostgreSQL could not be started: ${error.message}`));
    // `close` instead of `exit`: the last lines, which contain the reason, may arrive after the exit.
    child.once('close', () => fail(`PostgreSQL did not start: ${lastLines.join(' ')}`));
  });
}

function tooLate(totalMs: number): string {
  return `PostgreSQL did not accept connections within ${totalMs / 1000} s (db.health_timeout or GREENROOM_DB_HEALTH_TIMEOUT)`;
}
