/** Waiting for a PostgreSQL that starts: its own log says when it is ready, or why it will never be. */
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';

const READY = 'database system is ready to accept connections';
/** As many of the last lines are told where the server ends before it is ready. */
const SHOWN_LINES = 5;

/**
 * Resolves at the server's own word that it is ready; rejects with its last lines if it ends before, and where it
 * says nothing for `patienceMs`: a long recovery tells of its progress every ten seconds. `onLog` gets all lines,
 * those after that word too.
 */
export function untilReady(
  child: ChildProcess,
  patienceMs: number,
  onLog: (line: string) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const lastLines: string[] = [];
    const lines = child.stderr ? createInterface({ input: child.stderr }) : undefined;
    const settle = (outcome: () => void) => {
      clearTimeout(patience);
      lines?.off('line', onStartLine);
      outcome();
    };
    const fail = (message: string) => settle(() => reject(new Error(message)));
    const patience = setTimeout(() => fail('PostgreSQL did not become ready in time'), patienceMs);
    const onStartLine = (line: string) => {
      patience.refresh();
      lastLines.push(line);
      if (lastLines.length > SHOWN_LINES) lastLines.shift();
      if (line.includes(READY)) settle(resolve);
    };
    lines?.on('line', onStartLine).on('line', onLog);
    child.once('error', (error) => fail(`PostgreSQL cannot be run: ${error.message}`));
    // Not at its exit: its last lines, which say why it ended, may still be on their way.
    child.once('close', () => fail(`PostgreSQL did not start: ${lastLines.join(' ')}`));
  });
}
