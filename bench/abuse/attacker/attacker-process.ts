/** Runs an attack in a separate process. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { AttackInput } from './attack.ts';

const SCRIPT = join(import.meta.dirname, '..', 'attacks', 'main.ts');
/** The process is killed this long after the duration of the attack, which includes its own grace period. */
const KILL_AFTER_MS = 20_000;

export interface AttackReport {
  /** Number of responses by label. */
  responses: Record<string, number>;
  /** Processor time of the attacker's process, in milliseconds. */
  cpuMs: number;
}

/** Runs an attack. Resolves with its report when the process has ended. */
export async function runAttacker(input: AttackInput): Promise<AttackReport> {
  const env = { ...process.env, NODE_ENV: 'production' };
  const child = fork(SCRIPT, [], { env, execArgv: ['--max-old-space-size=4096'] });
  const ended = once(child, 'exit');
  let report: AttackReport = { responses: { 'attacker exited early': 1 }, cpuMs: 0 };
  child.once('message', (message) => {
    report = message as AttackReport;
  });
  child.send(input);
  const timer = setTimeout(() => child.kill('SIGKILL'), input.seconds * 1000 + KILL_AFTER_MS);
  await ended;
  clearTimeout(timer);
  return report;
}
