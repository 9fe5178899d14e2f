/**
 * `node e2e/backup-chaos/main.ts --rounds 60 --seed 7`: clients write to an instance of this checkout with a continuous
 * backup, while its processes are killed with SIGKILL at random times. Each round restores a random second, the latest
 * state, or a second of an earlier round, and compares it with a journal of all writes. Some rounds go on with the restored
 * data. Every fifth round uses an archive in a bucket, unless `--no-s3` is given. Needs Linux.
 */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { seededRandom } from '../crash/random.ts';
import { runCli } from '../support/instance.ts';
import { figureLines } from './report.ts';
import { runRounds } from './rounds.ts';

const MAX_SEED = 2 ** 31;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seed: { type: 'string' },
    'no-s3': { type: 'boolean', default: false },
  },
});
try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`backup-chaos: ${(error as Error).message}\n`);
  process.exitCode = 2;
}

async function main(): Promise<number> {
  const rounds = parseInteger('rounds', values.rounds);
  const seed = parseInteger('seed', values.seed ?? String(randomInt(MAX_SEED)));
  if (process.platform !== 'linux') throw new Error('this command reads /proc and needs Linux');
  print(`seed ${seed}`);
  // The first start would build the program, which is not part of the trial.
  const built = await runCli(['build'], '/nonexistent');
  if (built.code !== 0) throw new Error(built.stderr);
  const random = seededRandom(seed);
  const figures = await runRounds({ rounds, usesS3: !values['no-s3'], random, print });
  for (const line of figureLines(figures)) print(line);
  return figures.broken.length === 0 ? 0 : 1;
}

function parseInteger(name: string, text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new Error(`--${name} must be a whole number; it is ${text}`);
  return Number(text);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
