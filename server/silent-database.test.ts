import { expect, it } from 'vitest';
import { createSilence } from './silent-database.ts';

const NEVER = new Promise<never>(() => {});

function create(responseTimeoutMs: number) {
  const warnings: string[] = [];
  const log = { warn: (_details: unknown, text: string) => void warnings.push(text) };
  const silence = createSilence({ log: log as never, responseTimeoutMs, closeTimeoutMs: 1 });
  return { silence, warnings };
}

it('ends the wait for parts of a silent database, also for those that begin to close later', async () => {
  const { silence, warnings } = create(1);
  await silence.watch(
    () => NEVER,
    async () => {
      await silence.close(() => NEVER);
      expect(silence.signal.aborted).toBe(true);
      await silence.close(() => NEVER);
    },
  );
  expect(warnings).toEqual(['the database does not respond; stopping without it']);
});

it.each([
  ['a response', async () => []],
  ['an error', () => Promise.reject(new Error('connection refused'))],
])('waits for each part after %s of the database', async (_, probe) => {
  const { silence, warnings } = create(1);
  const part = Promise.withResolvers<void>();
  const stopped = silence.watch(probe, () => silence.close(() => part.promise));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(silence.signal.aborted).toBe(false);
  part.resolve();
  await stopped;
  expect(warnings).toEqual([]);
});

it('passes on the error of a part, and watches no longer than the stop', async () => {
  const { silence, warnings } = create(5);
  const failing = () => silence.close(() => Promise.reject(new Error('part failed')));
  await expect(silence.watch(() => NEVER, failing)).rejects.toThrow('part failed');
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(silence.signal.aborted).toBe(false);
  expect(warnings).toEqual([]);
});
