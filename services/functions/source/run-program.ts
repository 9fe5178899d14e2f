/** Runs programs that prepare functions. */
import { execFile } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { promisify } from 'node:util';
import type { ProcessUser } from '../process-user.ts';

/** How a program is started, and when it has to end. */
export interface ProgramRunner {
  /** Name or path of the program, after the words that launch it. */
  program: readonly string[];
  /** Ends a run. */
  signal?: AbortSignal | undefined;
  /** Whether other processes have priority. */
  isBackground?: boolean | undefined;
}

/** Options of {@link runProgram}. */
interface RunOptions {
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  user?: ProcessUser | undefined;
  timeoutMs: number;
  /** Called when it runs. */
  onStart?(pid: number): void;
}

/** A run that failed. */
export interface ProgramFailure extends Error {
  stderr?: string;
  /** Whether it was ended by its timeout. */
  killed?: boolean;
}

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

const execute = promisify(execFile);

/** Runs a program, and returns its standard output. Rejects with {@link ProgramFailure}, or when the signal aborts. */
export async function runProgram(runner: ProgramRunner, options: RunOptions): Promise<string> {
  const { program, signal, isBackground = false } = runner;
  const { args, env, user, timeoutMs, onStart } = options;
  const [first = '', ...launching] = program;
  const running = execute(first, [...launching, ...args], {
    env: { ...env },
    maxBuffer: MAX_OUTPUT_BYTES,
    timeout: timeoutMs,
    ...user,
    ...(signal && { signal }),
  });
  const { pid } = running.child;
  if (isBackground) yieldToOthers(pid);
  if (pid !== undefined) onStart?.(pid);
  return (await running).stdout;
}

/** Gives other processes priority over one that has just started: threads that it starts later have its priority. */
export function yieldToOthers(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It has ended already.
  }
}
