/** `npm run check`: types, lint, format, commit subjects and words. Runs every step, even if one fails. */
import { runStep } from './run-step.ts';

const STEPS: readonly [name: string, command: string, args: readonly string[]][] = [
  ['types of the routes', 'react-router', ['typegen', 'app']],
  ['types of the server', 'tsc', ['--noEmit', '-p', '.']],
  ['types of the app', 'tsc', ['--noEmit', '-p', 'app']],
  ['types of the demo', 'tsc', ['--noEmit', '-p', 'demo']],
  ['types of the product', 'tsc', ['--noEmit', '-p', 'e2e/products/shop']],
  ['lint and format', 'biome', ['ci', '--error-on-warnings', '.']],
  ['commit subjects', 'node', ['scripts/commit-subjects.ts']],
  ['plain English', 'node', ['scripts/plain-english.ts']],
];

/** Runs every check and returns the names of the passed and the failed ones. */
export async function runChecks(): Promise<{ passed: string[]; failed: string[] }> {
  const passed: string[] = [];
  const failed: string[] = [];
  for (const [name, command, args] of STEPS) {
    const code = await runStep(command, args);
    (code === 0 ? passed : failed).push(name);
  }
  return { passed, failed };
}

if (import.meta.main) {
  const { failed } = await runChecks();
  process.stdout.write(failed.length === 0 ? 'all checks passed\n' : `failed: ${failed.join(', ')}\n`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}
