/**
 * Answers that tell nobody whether there is an account: the same body after the same time. Work that depends on the
 * account hides behind a least duration that is well above what it takes.
 */
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AuthResponse } from '../contracts/request.ts';

/** Finding an account takes about one millisecond, writing a code and its message a few. */
const LEAST_MS = 50;

/** Answers `{}` once the work is done, and no sooner than a fixed time. */
export async function answerAlike(work: () => Promise<void>): Promise<AuthResponse> {
  await takeAlike(work);
  return { status: 200, body: {} };
}

/** Runs work whose duration would tell something. */
export async function takeAlike<T>(work: () => Promise<T>): Promise<T> {
  const least = sleep(LEAST_MS);
  try {
    return await work();
  } finally {
    await least;
  }
}

/** Runs work that fails alike: an error is thrown no sooner than after a fixed time. A success is not delayed. */
export async function refuseAlike<T>(work: () => Promise<T>): Promise<T> {
  const begun = performance.now();
  try {
    return await work();
  } catch (error) {
    await sleep(Math.ceil(Math.max(0, begun + LEAST_MS - performance.now())));
    throw error;
  }
}
