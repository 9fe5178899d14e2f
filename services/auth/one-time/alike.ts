/**
 * Responses that do not reveal whether there is an account: the same body after the same time. A minimum duration, well
 * above that of the work, hides how long the work takes.
 */
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AuthResponse } from '../contracts/request.ts';

/** Finding an account takes about one millisecond, writing a code and its message a few. */
const LEAST_MS = 50;

/** Responds with `{}` after the work and a minimum duration. */
export async function answerAlike(work: () => Promise<void>): Promise<AuthResponse> {
  await takeAlike(work);
  return { status: 200, body: {} };
}

/** Runs work and settles no sooner than after a minimum duration. */
export async function takeAlike<T>(work: () => Promise<T>): Promise<T> {
  const least = sleep(LEAST_MS);
  try {
    return await work();
  } finally {
    await least;
  }
}

/** Runs work. An error is thrown no sooner than after a minimum duration; success is not delayed. */
export async function refuseAlike<T>(work: () => Promise<T>): Promise<T> {
  const begun = performance.now();
  try {
    return await work();
  } catch (error) {
    await sleep(Math.ceil(Math.max(0, begun + LEAST_MS - performance.now())));
    throw error;
  }
}
