/** Data that is part of the document if it is available in time, and is streamed after it otherwise. */

/** A value, or a promise of it that never rejects. */
export type MaybePromise<T> = T | Promise<T>;

/** Time that data has to become part of the document. */
const TIMEOUT_MS = 150;

/**
 * Waits up to `timeoutMs` for the promise. The result is wrapped in an object, because a promise cannot
 * resolve to a promise.
 */
export async function resolveWithin<T>(
  promise: Promise<T>,
  timeoutMs = TIMEOUT_MS,
): Promise<{ value: MaybePromise<T> }> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<{ value: MaybePromise<T> }>((resolve) => {
    timer = setTimeout(() => resolve({ value: promise }), timeoutMs);
  });
  const result = await Promise.race([promise.then((value) => ({ value })), timeout]);
  clearTimeout(timer);
  return result;
}
