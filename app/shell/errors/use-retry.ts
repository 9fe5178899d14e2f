/** Asks for a page again that was unavailable, until it is there. Nothing but that page is requested: no form is sent. */
import { useEffect, useReducer } from 'react';

/** Seconds before each attempt; the last holds for all that follow. */
const RETRY_DELAYS = [5, 10, 20, 40, 60] as const;

/** `secondsLeft` is 0 while an attempt is under way. */
interface RetryState {
  attempt: number;
  secondsLeft: number;
  isStopped: boolean;
}

/** What happens to it. `failed` may bring what the server has named in `Retry-After`, in seconds. */
export type RetryEvent = { type: 'second' } | { type: 'failed'; retryAfter: number } | { type: 'stop' };

/** Before the first attempt. */
export const FIRST_RETRY: RetryState = { attempt: 0, secondsLeft: RETRY_DELAYS[0], isStopped: false };

/** The next state. Pure. */
export function reduceRetry(state: RetryState, event: RetryEvent): RetryState {
  if (event.type === 'stop') return { ...state, isStopped: true };
  if (event.type === 'second') return { ...state, secondsLeft: Math.max(0, state.secondsLeft - 1) };
  const attempt = state.attempt + 1;
  const delay = RETRY_DELAYS[Math.min(attempt, RETRY_DELAYS.length - 1)] ?? 0;
  return { ...state, attempt, secondsLeft: Math.max(delay, event.retryAfter) };
}

/** What a component sees of it. */
interface Retry extends RetryState {
  stop(): void;
}

/** Counts down while the page is visible and online; the page at `address` takes this one's place once it is available. */
export function useRetry(address: string): Retry {
  const [state, dispatch] = useReducer(reduceRetry, FIRST_RETRY);
  const { secondsLeft, isStopped } = state;
  const isCounting = !isStopped && secondsLeft > 0;
  useEffect(() => {
    if (!isCounting) return;
    const timer = setInterval(() => {
      if (!document.hidden && navigator.onLine) dispatch({ type: 'second' });
    }, 1000);
    return () => clearInterval(timer);
  }, [isCounting]);
  const isAsking = !isStopped && secondsLeft === 0;
  useEffect(() => {
    if (!isAsking) return;
    const leaving = new AbortController();
    const fail = (retryAfter = 0) => {
      if (!leaving.signal.aborted) dispatch({ type: 'failed', retryAfter });
    };
    fetch(address, { method: 'HEAD', headers: { accept: 'text/html' }, signal: leaving.signal }).then(
      (answer) => {
        if (answer.status === 503 || answer.status === 429)
          fail(secondsOf(answer.headers.get('retry-after')));
        else location.replace(address);
      },
      () => fail(),
    );
    return () => leaving.abort();
  }, [isAsking, address]);
  return { ...state, stop: () => dispatch({ type: 'stop' }) };
}

/** At most a few minutes; dates, which the header may hold too, are not read. */
function secondsOf(retryAfter: string | null): number {
  const seconds = Number(retryAfter ?? 0);
  return Number.isInteger(seconds) && seconds > 0 ? Math.min(seconds, 300) : 0;
}
