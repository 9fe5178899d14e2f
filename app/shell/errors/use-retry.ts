/** Retries an unavailable page until it responds. Only the page is requested; no form is sent again. */
import { useEffect, useReducer } from 'react';

/** Delays before each attempt in seconds; the last applies to all further attempts. */
const RETRY_DELAYS = [5, 10, 20, 40, 60] as const;

/** `secondsLeft` is 0 during an attempt. */
interface RetryState {
  attempt: number;
  secondsLeft: number;
  isStopped: boolean;
}

/** An event of the countdown. `retryAfter` is the server's `Retry-After` in seconds, or 0. */
export type RetryEvent = { type: 'second' } | { type: 'failed'; retryAfter: number } | { type: 'stop' };

/** State before the first attempt. */
export const FIRST_RETRY: RetryState = { attempt: 0, secondsLeft: RETRY_DELAYS[0], isStopped: false };

/** Returns the next state. Pure. */
export function reduceRetry(state: RetryState, event: RetryEvent): RetryState {
  if (event.type === 'stop') return { ...state, isStopped: true };
  if (event.type === 'second') return { ...state, secondsLeft: Math.max(0, state.secondsLeft - 1) };
  const attempt = state.attempt + 1;
  const delay = RETRY_DELAYS[Math.min(attempt, RETRY_DELAYS.length - 1)] ?? 0;
  return { ...state, attempt, secondsLeft: Math.max(delay, event.retryAfter) };
}

/** State and controls for a component. */
interface Retry extends RetryState {
  stop(): void;
}

/**
 * Counts down while the page is visible and online; replaces this page with the one at `address` as soon as
 * that responds.
 */
export function useRetry(address: string): Retry {
  const [state, dispatch] = useReducer(reduceRetry, FIRST_RETRY);
  const { secondsLeft, isStopped } = state;
  const isCountingDown = !isStopped && secondsLeft > 0;
  useEffect(() => {
    if (!isCountingDown) return;
    const timer = setInterval(() => {
      if (!document.hidden && navigator.onLine) dispatch({ type: 'second' });
    }, 1000);
    return () => clearInterval(timer);
  }, [isCountingDown]);
  const isRequesting = !isStopped && secondsLeft === 0;
  useEffect(() => {
    if (!isRequesting) return;
    const controller = new AbortController();
    const fail = (retryAfter = 0) => {
      if (!controller.signal.aborted) dispatch({ type: 'failed', retryAfter });
    };
    fetch(address, { method: 'HEAD', headers: { accept: 'text/html' }, signal: controller.signal }).then(
      (response) => {
        if (response.status === 503 || response.status === 429)
          fail(secondsOf(response.headers.get('retry-after')));
        else location.replace(address);
      },
      () => fail(),
    );
    return () => controller.abort();
  }, [isRequesting, address]);
  return { ...state, stop: () => dispatch({ type: 'stop' }) };
}

/** Limited to 300 seconds; dates, which the header may also contain, are ignored. */
function secondsOf(retryAfter: string | null): number {
  const seconds = Number(retryAfter ?? 0);
  return Number.isInteger(seconds) && seconds > 0 ? Math.min(seconds, 300) : 0;
}
