/** The report of a run of tests, in the form of pg_prove. */
import type { TestFileResult } from './run-test-file.ts';

/** Whether a file counts as passed. */
export function hasPassed({ failed, problems, error, bailOut }: TestFileResult): boolean {
  return failed.length === 0 && problems.length === 0 && error === undefined && bailOut === undefined;
}

/** Returns the lines about a file, with a column of names of this width. */
export function fileLines(result: TestFileResult, width: number): string[] {
  const name = `${result.path} ${'.'.repeat(Math.max(0, width - result.path.length))}..`;
  return [
    `${name} ${statusOf(result)}`,
    ...result.failed.flatMap(({ number, description, diagnostics }) => [
      `  not ok ${number} - ${description}`,
      ...diagnostics.map((line) => `    ${line}`),
    ]),
    ...result.passedTodos.map((number) => `  test ${number} is marked as TODO, and passed`),
    ...(result.wasOpen
      ? ['  the file ended in a transaction; it was rolled back, so nothing of it was kept']
      : []),
  ];
}

function statusOf(result: TestFileResult): string {
  const { failed, count, skipped } = result;
  if (hasPassed(result)) return skipped === undefined ? 'ok' : `skipped: ${skipped || 'no reason given'}`;
  return failed.length > 0 ? `failed ${failed.length} of ${count} tests` : 'failed';
}

/** Returns the lines after all files. The last one has the result. */
export function summaryLines(results: readonly TestFileResult[], seconds: number): string[] {
  const failed = results.filter((result) => !hasPassed(result));
  const tests = results.reduce((sum, { count }) => sum + count, 0);
  const result = failed.length > 0 ? 'FAIL' : tests === 0 && results.length === 0 ? 'NOTESTS' : 'PASS';
  return [
    ...(result === 'PASS' ? ['All tests successful.'] : []),
    ...(failed.length > 0 ? ['', 'Failed:', ...failed.flatMap(failureLines)] : []),
    `Files=${results.length}, Tests=${tests}, ${seconds.toFixed(1)} s`,
    `Result: ${result}`,
  ];
}

function failureLines({ path, failed, problems, error, bailOut }: TestFileResult): string[] {
  return [
    `  ${path}`,
    ...failed.map(({ number, description }) => `    test ${number}: ${description}`),
    ...(error === undefined ? [] : [`    an error ended the file: ${error.split('\n', 1)[0]}`]),
    ...problems.map((problem) => `    ${problem}`),
    ...(bailOut === undefined ? [] : [`    Bail out! ${bailOut}`.trimEnd()]),
  ];
}
