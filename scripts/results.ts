/** Converts the JSON reports of the test runners to counts and to lines that name failures. Pure functions. */
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** The counts of one test run. `remarks` name each failure, and each test that passed only on a retry. */
export interface Results {
  passed: number;
  failed: number;
  notes: string[];
}

/** The part of Vitest's report that is used here. */
export interface VitestReport {
  numPassedTests?: number;
  numFailedTests?: number;
  testResults?: VitestFile[];
}

interface VitestFile {
  /** Absolute path. */
  name: string;
  status: string;
  /** Set if the file itself failed: it cannot be loaded, or one of its hooks failed. */
  message?: string;
  assertionResults: { fullName: string; status: string; failureMessages?: string[] | null }[];
}

/** The part of Playwright's report that is used here. */
export interface PlaywrightReport {
  stats?: { expected?: number; unexpected?: number; flaky?: number };
  suites?: PlaywrightSuite[];
  /** Errors outside of tests. */
  errors?: { message?: string }[];
}

interface PlaywrightSuite {
  title: string;
  file: string;
  specs?: PlaywrightSpec[];
  suites?: PlaywrightSuite[];
}

interface PlaywrightSpec {
  title: string;
  file: string;
  line: number;
  tests: { status: string; results: { errors?: { message?: string }[] }[] }[];
}

/** Returns the results of a Vitest run in `root`. */
export function resultsOfVitest(report: VitestReport, root: string): Results {
  const { numPassedTests = 0, numFailedTests = 0, testResults = [] } = report;
  const notes = testResults.flatMap((file) => {
    const path = relative(root, file.name);
    const failed = file.assertionResults.filter(({ status }) => status === 'failed');
    if (failed.length === 0 && file.status === 'failed') return [noteOf('failed', path, file.message)];
    return failed.map(({ fullName, failureMessages }) =>
      noteOf('failed', `${path} › ${fullName}`, failureMessages?.[0]),
    );
  });
  return { passed: numPassedTests, failed: numFailedTests, notes };
}

/** Returns the results of a Playwright run. A test that passed on a retry counts as passed, and is named. */
export function resultsOfPlaywright({ stats = {}, suites = [], errors = [] }: PlaywrightReport): Results {
  return {
    passed: (stats.expected ?? 0) + (stats.flaky ?? 0),
    failed: stats.unexpected ?? 0,
    notes: [
      ...suites.flatMap((suite) => notesOfSuite(suite, [])),
      ...errors.map(({ message }) => noteOf('failed', 'outside of tests', message)),
    ],
  };
}

function notesOfSuite(suite: PlaywrightSuite, parentTitles: readonly string[]): string[] {
  // The outermost suite is the file, which each test contains in its name.
  const titles = suite.title === suite.file ? parentTitles : [...parentTitles, suite.title];
  return [
    ...(suite.specs ?? []).flatMap((spec) => notesOfSpec(spec, titles)),
    ...(suite.suites ?? []).flatMap((inner) => notesOfSuite(inner, titles)),
  ];
}

function notesOfSpec({ title, file, line, tests }: PlaywrightSpec, titles: readonly string[]): string[] {
  const name = [`e2e/${file}:${line}`, ...titles, title].join(' › ');
  return tests
    .filter(({ status }) => status === 'unexpected' || status === 'flaky')
    .map(({ status, results }) => {
      const message = results.flatMap(({ errors = [] }) => errors)[0]?.message;
      return noteOf(status === 'flaky' ? 'flaky' : 'failed', name, message);
    });
}

/** A runner that fails without a failed test (a crash, an error outside of tests) must not pass. */
export function atLeastOneFailure(runner: string, code: number, results: Results): Results {
  if (code === 0 || results.failed > 0) return results;
  const isNamed = results.notes.some((line) => line.startsWith('failed: '));
  const more = isNamed ? [] : [`failed: ${runner} exited with code ${code}`];
  return { ...results, failed: 1, notes: [...results.notes, ...more] };
}

export function sumOf(all: readonly Results[]): Results {
  return {
    passed: all.reduce((sum, { passed }) => sum + passed, 0),
    failed: all.reduce((sum, { failed }) => sum + failed, 0),
    notes: all.flatMap(({ notes }) => notes),
  };
}

/** Returns one line, or two if there is a message. */
function noteOf(kind: 'failed' | 'flaky', name: string, message = ''): string {
  const [first = ''] = stripVTControlCharacters(message)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return first === '' ? `${kind}: ${name}` : `${kind}: ${name}\n    ${first}`;
}
