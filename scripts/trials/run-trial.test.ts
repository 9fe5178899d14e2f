import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { runTrial } from './run-trial.ts';

const run = (script: string, env = {}) =>
  runTrial({ command: [process.execPath, '-e', script], env, result: /^result: (.+)$/ }, tmpdir(), () => {});

it.each<[title: string, script: string, expected: object]>([
  [
    'passes with the last result',
    "console.log('result: 1');console.log('result: 2')",
    { passed: true, result: '2' },
  ],
  [
    'finds a coloured result',
    String.raw`console.log('\x1b[2mresult: 1\x1b[22m')`,
    { passed: true, result: '1' },
  ],
  [
    'fails with the exit code',
    "console.log('result: 1'); process.exitCode = 1",
    { passed: false, result: '1' },
  ],
  ['fails without a result', '', { passed: false, result: 'no result, exited with 0' }],
  [
    'fails with a signal',
    "process.kill(process.pid, 'SIGKILL')",
    { passed: false, result: 'no result, exited with SIGKILL' },
  ],
])('a trial %s', async (_, script, expected) => {
  expect(await run(script)).toMatchObject(expected);
});

it('a trial runs with its environment', async () => {
  expect(await run("console.log('result: ' + process.env.ROUNDS)", { ROUNDS: '7' })).toMatchObject({
    result: '7',
  });
});

it('a trial whose program is missing fails', async () => {
  const missing = runTrial({ command: ['/nonexistent/program'], result: /x/ }, tmpdir(), () => {});
  expect(await missing).toMatchObject({ passed: false, result: expect.stringContaining('ENOENT') });
});
