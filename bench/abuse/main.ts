/**
 * `npm run abuse`: attacks an instance of this checkout on the loopback, with limits in number and time, while other
 * clients use it. Exits with code 1 if the instance misses a goal. docs/reference/abuse.md describes the output.
 */
import { writeFile } from 'node:fs/promises';
import { parseArguments, selectByName } from './arguments.ts';
import { ATTACKS } from './attacks/index.ts';
import { runSuite } from './suite.ts';

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`abuse: ${(error as Error).message}\n`);
  process.exitCode = 2;
}

async function main(words: readonly string[]): Promise<number> {
  const { only, seconds, json, list } = parseArguments(words);
  const attacks = selectByName(ATTACKS, only);
  if (list) {
    for (const { name, description } of attacks) process.stdout.write(`${name.padEnd(32)}${description}\n`);
    return 0;
  }
  const print = (line: string) => void process.stdout.write(`${line}\n`);
  const { baseline, results } = await runSuite({ attacks, seconds, print });
  if (json !== undefined)
    await writeFile(json, JSON.stringify({ seconds, quiet: baseline, results }, undefined, 2));
  const failed = results.filter(({ missed }) => missed.length > 0).length;
  print(`\n${results.length - failed} held, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}
