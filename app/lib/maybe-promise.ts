/** Data that is part of the document if it is available in time, and is streamed after it otherwise. */

/** A value, or a promise of it that never rejects. */
export type MaybePromise<T> = T | Promise<T>;

/** Time that data has to become part of the document. */
const PATIENCE_MS = 150;

/**
 * Waits up to `patienceMs` for the promise. The result is wrapped in an object, because a promise cannot
 * resolve to a promise.
 */
export async function resolveWithin<T>(
  promise: Promise<T>,
  patienceMs = PATIENCE_MS,
): Promise<{ value: MaybePromise<T> }> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<{ value: MaybePromise<T> }>((resolve) => {
    timer = setTimeout(() => resolve({ value: promise }), patienceMs);
  });
  const result = await Promise.race([promise.then((value) => ({ value })), timeout]);
  clearTimeout(timer);
  return result;
}
