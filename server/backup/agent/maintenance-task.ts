/** Runs a backup or a verification in a process that ends afterwards, so that its memory does not stay. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { entryPointFile } from '@greenroom/builds/program-file';
import type { Task } from './next-task.ts';
import type { AgentOptions } from './protocol.ts';

const PROGRAM = entryPointFile(
  'backup-maintenance',
  new URL('./maintenance-process.ts', import.meta.url),
  new URL('../../../', import.meta.url),
);
const KEPT_ERROR_LENGTH = 4096;

/** Work for the process. */
export interface MaintenanceRequest {
  task: Exclude<Task, { kind: 'wait' }>;
  options: Pick<AgentOptions, 'source' | 'project' | 'databaseUrl' | 'ownerUrl'>;
  /** Id of the archive that the agent has opened. */
  archiveId: string;
}

/** The result. */
export type MaintenanceOutcome = { type: 'done'; text: string } | { type: 'failed'; message: string };

/** Resolves with a sentence about the result. Rejects if the work fails; the signal ends the process. */
export async function runMaintenanceTask(request: MaintenanceRequest, signal: AbortSignal): Promise<string> {
  signal.throwIfAborted();
  const child = fork(PROGRAM, {
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let outcome: MaintenanceOutcome | undefined;
  let errors = '';
  child.on('message', (message: MaintenanceOutcome) => {
    outcome = message;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-KEPT_ERROR_LENGTH);
  });
  const end = () => child.kill('SIGTERM');
  signal.addEventListener('abort', end, { once: true });
  try {
    child.send(request, () => undefined);
    await once(child, 'close');
  } finally {
    signal.removeEventListener('abort', end);
  }
  signal.throwIfAborted();
  if (outcome?.type === 'done') return outcome.text;
  throw new Error(outcome?.message ?? `the process ended: ${errors || child.signalCode || child.exitCode}`);
}
