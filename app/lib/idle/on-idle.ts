/** Schedules work for idle moments of the browser. */
import * as CONSTANTS from '../../constants.ts';

/** Reports how many milliseconds remain of an idle moment. */
type Deadline = Pick<IdleDeadline, 'timeRemaining'>;

/** A page that is never idle, for example because of an animation on a slow device, gets its callback after this time. */
const MAX_WAIT_MS = 2000;

/**
 * Calls `callback` in the next idle moment of the browser, or after {@link MAX_WAIT_MS} without one. Browsers without `requestIdleCallback` (Safari)
 * get a time slice of fixed length after 1 ms. Returns a function that cancels.
 */
export function onIdle(callback: (deadline: Deadline) => void): () => void {
  if (typeof requestIdleCallback === 'function') {
    const id = requestIdleCallback(callback, { timeout: MAX_WAIT_MS });
    return () => cancelIdleCallback(id);
  }
  const timer = setTimeout(() => callback(startSlice()), 1);
  return () => clearTimeout(timer);
}

/**
 * Processes the items in idle moments, as many per moment as fit. Returns a function that cancels the
 * remaining items.
 */
export function forEachWhenIdle<T>(items: Iterable<T>, work: (item: T) => void): () => void {
  const left = [...items];
  let cancel = () => {};
  const slice = (deadline: Deadline) => {
    do {
      const item = left.shift();
      if (item !== undefined) work(item);
    } while (left.length > 0 && deadline.timeRemaining() > 0);
    if (left.length > 0) cancel = onIdle(slice);
  };
  if (left.length > 0) cancel = onIdle(slice);
  return () => cancel();
}

function startSlice(): Deadline {
  const end = Date.now() + CONSTANTS.icon.idleSlice;
  return { timeRemaining: () => Math.max(0, end - Date.now()) };
}
