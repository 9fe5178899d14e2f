/** `promtool`, if the machine has the program (Debian: `apt-get install prometheus`). */
import { spawnSync } from 'node:child_process';

const PROGRAM = 'promtool';

/** The reason why tests with promtool are skipped; undefined if they are not. */
export const WITHOUT_PROMTOOL =
  spawnSync(PROGRAM, ['--version']).status === 0 ? undefined : `${PROGRAM} is not installed`;

/** Runs promtool. Returns its exit code and its output. @param input text for its standard input */
export function runPromtool(args: readonly string[], input = ''): { code: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(PROGRAM, args, { input, encoding: 'utf8' });
  return { code: status, output: stdout + stderr };
}
