/** Runs one trial. Its standard error goes to the terminal. */
import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { stripVTControlCharacters } from 'node:util';
import type { Trial } from './catalogue.ts';

/** The result of a trial. */
interface Outcome {
  passed: boolean;
  /** The summary line of its output; if it printed none, its exit code. */
  result: string;
  seconds: number;
}

/**
 * Runs a trial to its end.
 * @param root the repository: the folder that it runs in
 * @param print receives each line of its standard output
 */
export async function runTrial(
  { command: [program, ...args], env, result }: Pick<Trial, 'command' | 'env' | 'result'>,
  root: string,
  print: (line: string) => void,
): Promise<Outcome> {
  const start = performance.now();
  const binaries = join(root, 'node_modules', '.bin');
  const child = spawn(program, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, PATH: `${binaries}${delimiter}${process.env.PATH ?? ''}`, ...env },
    shell: process.platform === 'win32',
  });
  const ended = new Promise<string | number>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'unknown'));
  });
  const found: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    print(line);
    const [match, part] = result.exec(stripVTControlCharacters(line)) ?? [];
    if (match !== undefined) found.push((part ?? match).trim());
  }
  const code = await ended;
  return {
    passed: code === 0 && found.length > 0,
    result: found.at(-1) ?? `no result, exited with ${code}`,
    seconds: Math.round((performance.now() - start) / 1000),
  };
}
