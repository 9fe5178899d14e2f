/** Work that can wait until the browser has nothing better to do. */
import { CONSTANTS } from '../../constants.ts';

/** Tells how many milliseconds are left of an idle moment. */
type Deadline = Pick<IdleDeadline, 'timeRemaining'>;

/**
 * Calls back in the browser's next idle moment. Browsers without `requestIdleCallback` (Safari) get a moment of fixed
 * length right away. Returns how to cancel.
 */
export function onIdle(callback: (deadline: Deadline) => void): () => void {
  if (typeof requestIdleCallback === 'function') {
    const id = requestIdleCallback(callback);
    return () => cancelIdleCallback(id);
  }
  const timer = setTimeout(() => callback(startSlice()), 1);
  return () => clearTimeout(timer);
}

/** Does work for each item, as many in one idle moment as fit. Returns how to cancel what is left. */
export function inIdleSlices<T>(items: Iterable<T>, work: (item: T) => void): () => void {
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
