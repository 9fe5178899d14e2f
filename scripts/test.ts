/**
 * `npm test`: runs checks, unit and integration tests, and the app in a real browser. All of them run even if one
 * fails, except for the tests that are tagged as trials (docs/trials.md). The output ends with the names of failures,
 * and a last line with the totals: `N passed, N failed`.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runChecks } from './check.ts';
import { ensureChromium } from './chromium.ts';
import { createMemoryFolder } from './memory-folder.ts';
import { atLeastOneFailure, type Results, resultsOfPlaywright, resultsOfVitest, sumOf } from './results.ts';
import { runStep } from './run-step.ts';

const ROOT = join(import.meta.dirname, '..');

// Tests that start a server as a process then run the bundle, which starts faster than the sources.
await runStep('node', ['cli/bin.mjs', 'build']);
const reports = await mkdtemp(join(tmpdir(), 'greenroom-reports-'));
const memory = await createMemoryFolder();
/** Environment of both runners. */
const temporary: NodeJS.ProcessEnv = memory ? { TMPDIR: memory.path } : {};
const { passed, failed, notes } = sumOf([await check(), await runVitest(), await runPlaywright()]);
await Promise.all([rm(reports, { recursive: true, force: true }), memory?.remove()]);

process.stdout.write(`\n${[...notes, `${passed} passed, ${failed} failed`].join('\n')}\n`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;

async function check(): Promise<Results> {
  const checks = await runChecks();
  return {
    passed: checks.passed.length,
    failed: checks.failed.length,
    notes: checks.failed.map((name) => `failed: check of ${name}`),
  };
}

async function runVitest(): Promise<Results> {
  const report = join(reports, 'vitest.json');
  const args = ['--tagsFilter=!trial', '--reporter=default', '--reporter=json'];
  const code = await runStep('vitest', ['run', ...args, `--outputFile.json=${report}`], {
    GREENROOM_TEST_BUNDLE: 'true',
    ...temporary,
  });
  return atLeastOneFailure('vitest', code, resultsOfVitest(await readReport(report), ROOT));
}

async function runPlaywright(): Promise<Results> {
  const report = join(reports, 'playwright.json');
  const chromium = findChromium();
  if (typeof chromium === 'string') return { passed: 0, failed: 1, notes: [`failed: ${chromium}`] };
  const code = await runStep(
    'playwright',
    ['test', '--config', 'e2e', '--grep-invert', '@trial', '--reporter=list,json'],
    {
      PLAYWRIGHT_JSON_OUTPUT_FILE: report,
      ...temporary,
      ...(chromium.path && { CHROMIUM_PATH: chromium.path }),
    },
  );
  return atLeastOneFailure('playwright', code, resultsOfPlaywright(await readReport(report)));
}

/** Returns the path of Chromium, or the reason why none is available. */
function findChromium(): { path: string | undefined } | string {
  try {
    return { path: ensureChromium() };
  } catch (error) {
    return (error as Error).message;
  }
}

/** Returns an empty object if the runner has not written a report. */
function readReport(path: string): Promise<object> {
  return readFile(path, 'utf8').then(JSON.parse, () => ({}));
}
