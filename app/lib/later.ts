/** Data that goes out with the page when it is there in time, and is streamed after it when not. */

/** Either. It does not reject. */
export type Later<T> = T | Promise<T>;

/** What is there in this time goes out with the page. */
const PATIENCE_MS = 150;

/** Waits for a while; the result is in a box, since a promise cannot hold a promise. */
export async function soon<T>(promise: Promise<T>, patienceMs = PATIENCE_MS): Promise<{ value: Later<T> }> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const impatience = new Promise<{ value: Later<T> }>((resolve) => {
    timer = setTimeout(() => resolve({ value: promise }), patienceMs);
  });
  const result = await Promise.race([promise.then((value) => ({ value })), impatience]);
  clearTimeout(timer);
  return result;
}
