/**
 * `npm run crash -- --rounds 100 --seed 7`: kills an instance of this checkout with SIGKILL at random times while
 * clients write to it. Checks after each start that every acknowledged write exists, that no start fails and that no
 * process remains. `--namespace` runs the instance as process 1 of a PID namespace, as in a container, so that pids
 * repeat. `--only "first start"` repeats one kind of round. Without a seed, a random one is used and printed. Needs
 * Linux.
 */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { runCli } from '../support/instance.ts';
import { canUnshare } from './launch.ts';
import { seededRandom } from './random.ts';
import { isClean, KINDS, type Kind, type RoundResults, runRounds } from './rounds.ts';

const DEFAULT_ROUNDS = '24';
const MAX_SEED = 2 ** 31;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: DEFAULT_ROUNDS },
    seed: { type: 'string' },
    only: { type: 'string' },
    namespace: { type: 'boolean', default: false },
  },
});
try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`crash: ${(error as Error).message}\n`);
  process.exitCode = 2;
}

async function main(): Promise<number> {
  const { only, namespace: isInNamespace } = values;
  const rounds = parseInteger('rounds', values.rounds);
  const seed = parseInteger('seed', values.seed ?? String(randomInt(MAX_SEED)));
  if (only !== undefined && !isKind(only)) throw new Error(`--only is one of ${KINDS.join(', ')}`);
  if (process.platform !== 'linux') throw new Error('this command reads /proc and needs Linux');
  if (isInNamespace && !canUnshare()) {
    print('skipped: this system does not let unshare create a PID namespace; run as root on Linux');
    return 0;
  }
  print(`seed ${seed}`);
  // The first start would build the app, which is not part of the test.
  const folder = '/nonexistent';
  const built = await runCli(['build'], folder);
  if (built.code !== 0) throw new Error(built.stderr);
  const kinds = Array.from({ length: rounds }, (_, round) => only ?? (KINDS[round % KINDS.length] as Kind));
  const results = await runRounds({ kinds, random: seededRandom(seed), isInNamespace, print });
  printResults(results);
  return isClean(results) ? 0 : 1;
}

function printResults({
  rounds,
  acknowledged,
  kills,
  lost,
  refused,
  orphans,
  repeatedPids,
}: RoundResults): void {
  print('');
  for (const each of lost) print(`lost: ${each}`);
  for (const each of refused) print(`refused: ${each}`);
  for (const each of orphans) print(`left: ${each}`);
  print(
    `${rounds} rounds, ${kills} kills, ${acknowledged} acknowledged writes: ${lost.length} lost, ` +
      `${refused.length} starts refused, ${orphans.length} processes left; ${repeatedPids} starts repeated a pid`,
  );
}

function isKind(text: string): text is Kind {
  return (KINDS as readonly string[]).includes(text);
}

function parseInteger(name: string, text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new Error(`--${name} must be a whole number; it is ${text}`);
  return Number(text);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
