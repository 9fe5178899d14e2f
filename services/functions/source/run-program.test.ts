/** Processes that prepare functions yield to others, and end with their signal. */
import { constants, getPriority } from 'node:os';
import { expect, it } from 'vitest';
import { runProgram } from './run-program.ts';

const program = [process.execPath];
/** A test may run with low priority. */
const [own, low] = [getPriority(), Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL)];
const run = (isBackground: boolean) =>
  runProgram({ program, isBackground }, { args: ['-p', 'os.getPriority()'], env: {}, timeoutMs: 30_000 });

it('runs in the background below the priority of other processes', async () => {
  expect([Number(await run(true)), Number(await run(false))]).toEqual([low, own]);
});

it('ends with its signal', async () => {
  const closing = new AbortController();
  const args = ['-e', 'setTimeout(() => {}, 60_000)'];
  const running = runProgram({ program, signal: closing.signal }, { args, env: {}, timeoutMs: 30_000 });
  closing.abort();
  await expect(running).rejects.toMatchObject({ name: 'AbortError' });
});
