/**
 * `npm run fuzz -- --requests 100000 --seed 7`: sends that many random requests to the data API, tells how they were
 * answered, and fails where one was not answered as documented. Without a seed, another one each time.
 */
import { parseArgs } from 'node:util';
import { runStep } from './run-step.ts';

const DEFAULT_REQUESTS = '100000';

const { values } = parseArgs({
  options: { requests: { type: 'string', default: DEFAULT_REQUESTS }, seed: { type: 'string' } },
});
for (const [name, value] of Object.entries(values)) {
  if (!/^\d{1,9}$/.test(value)) throw new Error(`--${name} must be a whole number; it is ${value}`);
}

process.exitCode = await runStep('vitest', ['run', '--project', 'server', 'services/data/fuzz'], {
  FUZZ_REQUESTS: values.requests,
  ...(values.seed !== undefined && { FUZZ_SEED: values.seed }),
});
