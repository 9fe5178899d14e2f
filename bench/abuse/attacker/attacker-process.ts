/** Starts an attack in a process of its own. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { AttackInput } from './attack.ts';

const SCRIPT = join(import.meta.dirname, 'main.ts');
/** After its time and its own grace an attacker's process is killed. */
const PATIENCE_MS = 20_000;

/** Runs an attack to its end; returns its answers by label. */
export async function runAttacker(input: AttackInput): Promise<Record<string, number>> {
  const env = { ...process.env, NODE_ENV: 'production' };
  const child = fork(SCRIPT, [], { env, execArgv: ['--max-old-space-size=4096'] });
  const ended = once(child, 'exit');
  let answers: Record<string, number> = { 'attacker ended early': 1 };
  child.once('message', (message) => {
    answers = message as Record<string, number>;
  });
  child.send(input);
  const timer = setTimeout(() => child.kill('SIGKILL'), input.seconds * 1000 + PATIENCE_MS);
  await ended;
  clearTimeout(timer);
  return answers;
}
