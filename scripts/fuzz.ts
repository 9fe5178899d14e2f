/**
 * `npm run fuzz -- --requests 100000 --seed 7`: sends that many random requests to the data API, prints the statuses of
 * the responses, then runs all property tests. Fails if a response is not as documented or a property does not hold.
 * Without a seed, a random one is used and printed.
 */
import { randomInt } from 'node:crypto';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runStep } from './run-step.ts';

const ROOT = join(import.meta.dirname, '..');
const DEFAULT_REQUESTS = '100000';
const MAX_SEED = 2 ** 31;

const { values } = parseArgs({
  options: { requests: { type: 'string', default: DEFAULT_REQUESTS }, seed: { type: 'string' } },
});
for (const [name, value] of Object.entries(values)) {
  if (!/^\d{1,10}$/.test(value)) throw new Error(`--${name} must be a whole number; it is ${value}`);
}

const seed = values.seed ?? String(randomInt(MAX_SEED));
process.stdout.write(`seed ${seed}\n`);
const requests = await runStep('vitest', ['run', '--project', 'server', 'services/data/fuzz'], {
  FUZZ_REQUESTS: values.requests,
  FUZZ_SEED: seed,
});
const properties = await runStep('vitest', ['run', ...(await propertyTests())], { PROPERTY_SEED: seed });
process.stdout.write(`seed ${seed}: npm run fuzz -- --seed ${seed} repeats it\n`);
process.exitCode = requests || properties;

/** Finds test files with property tests, relative to the root. */
async function propertyTests(): Promise<string[]> {
  const found: string[] = [];
  for await (const path of glob('{app,bench,cli,demo,platform,server,services}/**/*.test.{ts,tsx}', {
    cwd: ROOT,
  })) {
    if (path.includes('node_modules')) continue;
    const text = await readFile(join(ROOT, path), 'utf8');
    if (/from 'fast-check'/.test(text)) found.push(path);
  }
  return found;
}
