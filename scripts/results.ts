/** What the test runners wrote into their JSON reports, as counts and as lines that name what failed. Pure. */
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** What one kind of test counted. `remarks` name each failure, and each test that passed only the second time. */
export interface Results {
  passed: number;
  failed: number;
  remarks: string[];
}

/** Vitest's report, as far as it matters here. */
export interface VitestReport {
  numPassedTests?: number;
  numFailedTests?: number;
  testResults?: VitestFile[];
}

interface VitestFile {
  /** Its whole path. */
  name: string;
  status: string;
  /** Why the file failed by itself: it cannot be loaded, or a hook of it failed. */
  message?: string;
  assertionResults: { fullName: string; status: string; failureMessages?: string[] | null }[];
}

/** Playwright's report, as far as it matters here. */
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

/** Counts and names what a run of Vitest in `root` left. */
export function resultsOfVitest(report: VitestReport, root: string): Results {
  const { numPassedTests = 0, numFailedTests = 0, testResults = [] } = report;
  const remarks = testResults.flatMap((file) => {
    const path = relative(root, file.name);
    const failed = file.assertionResults.filter(({ status }) => status === 'failed');
    if (failed.length === 0 && file.status === 'failed') return [remark('failed', path, file.message)];
    return failed.map(({ fullName, failureMessages }) =>
      remark('failed', `${path} › ${fullName}`, failureMessages?.[0]),
    );
  });
  return { passed: numPassedTests, failed: numFailedTests, remarks };
}

/** Counts and names what a run of Playwright left. What passed the second time has passed, and is named. */
export function resultsOfPlaywright({ stats = {}, suites = [], errors = [] }: PlaywrightReport): Results {
  return {
    passed: (stats.expected ?? 0) + (stats.flaky ?? 0),
    failed: stats.unexpected ?? 0,
    remarks: [
      ...suites.flatMap((suite) => remarksOfSuite(suite, [])),
      ...errors.map(({ message }) => remark('failed', 'outside of tests', message)),
    ],
  };
}

function remarksOfSuite(suite: PlaywrightSuite, above: readonly string[]): string[] {
  // The outermost suite is the file, which each test names itself.
  const titles = suite.title === suite.file ? above : [...above, suite.title];
  return [
    ...(suite.specs ?? []).flatMap((spec) => remarksOfSpec(spec, titles)),
    ...(suite.suites ?? []).flatMap((inner) => remarksOfSuite(inner, titles)),
  ];
}

function remarksOfSpec({ title, file, line, tests }: PlaywrightSpec, titles: readonly string[]): string[] {
  const name = [`e2e/${file}:${line}`, ...titles, title].join(' › ');
  return tests
    .filter(({ status }) => status === 'unexpected' || status === 'flaky')
    .map(({ status, results }) => {
      const message = results.flatMap(({ errors = [] }) => errors)[0]?.message;
      return remark(status === 'flaky' ? 'flaky' : 'failed', name, message);
    });
}

/** A runner that fails without a failed test (a crash, an error outside of tests) must not pass. */
export function atLeastOneFailure(runner: string, code: number, results: Results): Results {
  if (code === 0 || results.failed > 0) return results;
  const isNamed = results.remarks.some((line) => line.startsWith('failed: '));
  const more = isNamed ? [] : [`failed: ${runner} ended with code ${code}`];
  return { ...results, failed: 1, remarks: [...results.remarks, ...more] };
}

/** Adds up. */
export function sumOf(all: readonly Results[]): Results {
  return {
    passed: all.reduce((sum, { passed }) => sum + passed, 0),
    failed: all.reduce((sum, { failed }) => sum + failed, 0),
    remarks: all.flatMap(({ remarks }) => remarks),
  };
}

/** One line, or two where there is a message. */
function remark(kind: 'failed' | 'flaky', name: string, message = ''): string {
  const [first = ''] = stripVTControlCharacters(message)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return first === '' ? `${kind}: ${name}` : `${kind}: ${name}\n    ${first}`;
}
