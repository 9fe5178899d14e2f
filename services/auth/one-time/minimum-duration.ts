/**
 * Responses that do not reveal whether there is an account: the same body after the same time. A minimum duration, well
 * above that of the work, hides how long the work takes.
 */
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AuthResponse } from '../contracts/request.ts';

/** Finding an account takes about one millisecond, writing a code and its message a few. */
const MIN_DURATION_MS = 50;

/** Responds with `{}` after the work and a minimum duration. */
export async function respondUniformly(work: () => Promise<void>): Promise<AuthResponse> {
  await withMinimumDuration(work);
  return { status: 200, body: {} };
}

/** Runs work and settles no sooner than after a minimum duration. */
export async function withMinimumDuration<T>(work: () => Promise<T>): Promise<T> {
  const minimum = sleep(MIN_DURATION_MS);
  try {
    return await work();
  } finally {
    await minimum;
  }
}

/** Runs work. An error is thrown no sooner than after a minimum duration; success is not delayed. */
export async function delayErrors<T>(work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  try {
    return await work();
  } catch (error) {
    await sleep(Math.ceil(Math.max(0, startedAt + MIN_DURATION_MS - performance.now())));
    throw error;
  }
}
