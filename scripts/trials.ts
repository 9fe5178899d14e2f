/**
 * `npm run trials -- [name …]`: runs the named trials, or all of them, one after the other, and writes each result with
 * its commit and date into docs/trials.md. `--list` prints the names. Exits with code 1 if one of them fails.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { TRIALS, type Trial } from './trials/catalogue.ts';
import { recordEntry } from './trials/record.ts';
import { runTrial } from './trials/run-trial.ts';

const ROOT = join(import.meta.dirname, '..');
const PAGE = 'docs/trials.md';

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`trials: ${(error as Error).message}\n`);
  process.exitCode = 2;
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { list: { type: 'boolean', default: false } },
  });
  const chosen = positionals.length === 0 ? TRIALS : positionals.map(trialNamed);
  if (values.list) {
    for (const { name, minutes, shows } of chosen) print(`${name.padEnd(20)}${minutes} min  ${shows}`);
    return 0;
  }
  const failed: string[] = [];
  for (const trial of chosen) {
    print(`\n${trial.name}: ${trial.shows}`);
    const outcome = await runTrial(trial, ROOT, print);
    const entry = { ...outcome, ...subject(), trial: trial.name, shows: trial.shows };
    writeFileSync(join(ROOT, PAGE), recordEntry(readFileSync(join(ROOT, PAGE), 'utf8'), entry));
    if (!outcome.passed) failed.push(trial.name);
  }
  const note = failed.length > 0 ? `: ${failed.join(', ')}` : '';
  print(`\n${chosen.length - failed.length} passed, ${failed.length} failed${note}`);
  return failed.length > 0 ? 1 : 0;
}

function trialNamed(name: string): Trial {
  const trial = TRIALS.find((each) => each.name === name);
  if (trial !== undefined) return trial;
  throw new Error(`unknown trial: ${name}; available: ${TRIALS.map((each) => each.name).join(', ')}`);
}

/** Returns the commit under test, and the date. */
function subject(): { commit: string; date: string } {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
  const differs = git('status', '--porcelain', '--', '.', `:!${PAGE}`) !== '';
  const commit = git('rev-parse', '--short', 'HEAD');
  return { commit: differs ? `${commit} + changes` : commit, date: new Date().toISOString().slice(0, 10) };
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
