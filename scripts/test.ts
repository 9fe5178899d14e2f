/**
 * `npm test`: checks, unit and integration tests, and the whole thing in a real browser. All of them run even when
 * one fails; the last line counts them together: `N passed, N failed`.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runChecks } from './check.ts';
import { ensureChromium } from './chromium.ts';
import { runStep } from './run-step.ts';

/** What one kind of test counted. */
interface Count {
  passed: number;
  failed: number;
}

const reports = await mkdtemp(join(tmpdir(), 'greenroom-reports-'));
const counts = [await countChecks(), await countVitest(), await countPlaywright()];
await rm(reports, { recursive: true, force: true });

const passed = counts.reduce((sum, count) => sum + count.passed, 0);
const failed = counts.reduce((sum, count) => sum + count.failed, 0);
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;

async function countChecks(): Promise<Count> {
  const checks = await runChecks();
  for (const name of checks.failed) process.stderr.write(`check failed: ${name}\n`);
  return { passed: checks.passed.length, failed: checks.failed.length };
}

async function countVitest(): Promise<Count> {
  const report = join(reports, 'vitest.json');
  const code = await runStep('vitest', [
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ]);
  const { numPassedTests = 0, numFailedTests = 0 } = await readReport(report);
  return atLeastOneFailure(code, { passed: numPassedTests, failed: numFailedTests });
}

async function countPlaywright(): Promise<Count> {
  const report = join(reports, 'playwright.json');
  const chromium = findChromium();
  if (chromium === 'none') return { passed: 0, failed: 1 };
  const code = await runStep('playwright', ['test', '--config', 'e2e', '--reporter=list,json'], {
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    ...(chromium.path && { CHROMIUM_PATH: chromium.path }),
  });
  const { stats = {} } = await readReport(report);
  return atLeastOneFailure(code, {
    passed: (stats.expected ?? 0) + (stats.flaky ?? 0),
    failed: stats.unexpected ?? 0,
  });
}

function findChromium(): { path: string | undefined } | 'none' {
  try {
    return { path: ensureChromium() };
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    return 'none';
  }
}

/** A runner that fails without a failed test (a crash, an error outside of tests) must not pass. */
function atLeastOneFailure(code: number, count: Count): Count {
  return code !== 0 && count.failed === 0 ? { ...count, failed: 1 } : count;
}

interface Report {
  numPassedTests?: number;
  numFailedTests?: number;
  stats?: { expected?: number; unexpected?: number; flaky?: number };
}

async function readReport(path: string): Promise<Report> {
  return readFile(path, 'utf8').then(
    (text) => JSON.parse(text) as Report,
    () => ({}),
  );
}
