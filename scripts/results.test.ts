import { describe, expect, it } from 'vitest';
import {
  atLeastOneFailure,
  type PlaywrightReport,
  resultsOfPlaywright,
  resultsOfVitest,
  sumOf,
  type VitestReport,
} from './results.ts';

const RED = '\u001b[31m';

describe('resultsOfVitest', () => {
  it('reports failed tests by file, title and the first line of the message', () => {
    const report: VitestReport = {
      numPassedTests: 1,
      numFailedTests: 1,
      testResults: [
        {
          name: '/root/services/auth/sms.test.ts',
          status: 'failed',
          assertionResults: [
            { fullName: 'sms is sent', status: 'passed' },
            {
              fullName: 'sms is read',
              status: 'failed',
              failureMessages: [`\n${RED}Error: no\n  at x.ts:1`],
            },
          ],
        },
      ],
    };
    expect(resultsOfVitest(report, '/root')).toEqual({
      passed: 1,
      failed: 1,
      notes: ['failed: services/auth/sms.test.ts › sms is read\n    Error: no'],
    });
  });

  it('reports files that failed as a whole', () => {
    const file = {
      name: '/root/a.test.ts',
      status: 'failed',
      message: 'Hook timed out',
      assertionResults: [],
    };
    expect(resultsOfVitest({ testResults: [file] }, '/root').notes).toEqual([
      'failed: a.test.ts\n    Hook timed out',
    ]);
  });

  it('returns zero counts without a report', () => {
    expect(resultsOfVitest({}, '/root')).toEqual({ passed: 0, failed: 0, notes: [] });
  });
});

describe('resultsOfPlaywright', () => {
  const spec = (title: string, status: string, message: string) => ({
    title,
    file: 'board.spec.ts',
    line: 7,
    tests: [{ status, results: [{ errors: [{ message }] }, {}] }],
  });
  const report: PlaywrightReport = {
    stats: { expected: 3, unexpected: 1, flaky: 1 },
    suites: [
      {
        title: 'board.spec.ts',
        file: 'board.spec.ts',
        specs: [spec('is there', 'expected', ''), spec('is quick', 'flaky', `${RED}Error: late`)],
        suites: [{ title: 'on a phone', file: 'board.spec.ts', specs: [spec('fits', 'unexpected', '')] }],
      },
    ],
  };

  it('reports failures, and tests that passed on a retry', () => {
    expect(resultsOfPlaywright(report)).toEqual({
      passed: 4,
      failed: 1,
      notes: [
        'flaky: e2e/board.spec.ts:7 › is quick\n    Error: late',
        'failed: e2e/board.spec.ts:7 › on a phone › fits',
      ],
    });
  });

  it('reports errors outside of tests', () => {
    expect(resultsOfPlaywright({ errors: [{ message: 'no instance' }] }).notes).toEqual([
      'failed: outside of tests\n    no instance',
    ]);
  });
});

describe('atLeastOneFailure', () => {
  const none = { passed: 2, failed: 0, notes: [] };

  it('leaves successful results unchanged', () => {
    expect(atLeastOneFailure('vitest', 0, none)).toBe(none);
  });

  it('counts a runner that failed without a failed test', () => {
    expect(atLeastOneFailure('vitest', 1, none)).toEqual({
      passed: 2,
      failed: 1,
      notes: ['failed: vitest exited with code 1'],
    });
    expect(atLeastOneFailure('vitest', 1, { ...none, notes: ['failed: a.test.ts'] }).notes).toEqual([
      'failed: a.test.ts',
    ]);
  });

  it('reports it in addition to tests that passed on a retry', () => {
    const flaky = 'flaky: a.spec.ts:1 › b';
    expect(atLeastOneFailure('playwright', 130, { ...none, notes: [flaky] }).notes).toEqual([
      flaky,
      'failed: playwright exited with code 130',
    ]);
  });

  it('counts a failed test once', () => {
    const one = { passed: 2, failed: 1, notes: ['failed: a.test.ts › b'] };
    expect(atLeastOneFailure('vitest', 1, one)).toBe(one);
  });
});

it('sumOf adds the results in their order', () => {
  expect(
    sumOf([
      { passed: 1, failed: 1, notes: ['a'] },
      { passed: 2, failed: 0, notes: ['b'] },
    ]),
  ).toEqual({ passed: 3, failed: 1, notes: ['a', 'b'] });
});
