/**
 * `node e2e/jobs-crash/main.ts --rounds 30 --seed 7`: kills an instance of this checkout with SIGKILL at random times
 * while cron jobs run and clients send requests, webhooks and messages of queues, and call functions. Compares the work
 * of the instance with a journal of all acknowledged writes. Needs Linux.
 */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { seededRandom } from '../crash/random.ts';
import { runCli } from '../support/instance.ts';
import { startEndpoint } from './endpoint.ts';
import { LOADS } from './loads.ts';
import { runRounds } from './rounds.ts';
import { Subject } from './subject.ts';

const MAX_SEED = 2 ** 31;

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '10' }, seed: { type: 'string' } },
});
try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`jobs-crash: ${(error as Error).message}\n`);
  process.exitCode = 2;
}

async function main(): Promise<number> {
  const rounds = parseInteger('rounds', values.rounds);
  const seed = parseInteger('seed', values.seed ?? String(randomInt(MAX_SEED)));
  if (process.platform !== 'linux') throw new Error('this command reads /proc and needs Linux');
  print(`seed ${seed}`);
  // The first start would build the app, which is not part of the trial.
  const built = await runCli(['build'], '/nonexistent');
  if (built.code !== 0) throw new Error(built.stderr);
  const random = seededRandom(seed);
  const endpoint = await startEndpoint(random);
  const subject = await Subject.create(LOADS, endpoint);
  let isClean = false;
  try {
    const { kills, acknowledged, repeated, broken } = await runRounds({
      loads: LOADS,
      subject,
      rounds,
      random,
      print,
    });
    isClean = broken.length === 0;
    for (const each of broken) print(`broken: ${each}`);
    print(
      `${rounds} rounds, ${kills} kills, ${acknowledged} acknowledged writes: ${broken.length} promises broken, ` +
        `${repeated} requests and webhooks sent again`,
    );
  } finally {
    await subject.finish(!isClean);
    await endpoint.close();
    if (!isClean) print(`the folder is kept: ${subject.folder}`);
  }
  return isClean ? 0 : 1;
}

function parseInteger(name: string, text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new Error(`--${name} must be a whole number; it is ${text}`);
  return Number(text);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
