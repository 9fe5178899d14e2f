/**
 * The fetch of the backend's clients on both sides: it retries if no response arrived. A response of any
 * status is not retried.
 */
import * as CONSTANTS from '../constants.ts';

const { attempts: ATTEMPTS, firstWait } = CONSTANTS.backendFetch;

/** Dependencies of {@link retryingFetch}, for tests, and the callback for failures. */
interface RetryingFetchOptions {
  fetch?: typeof fetch;
  wait?: (milliseconds: number) => Promise<void>;
  /** Called after every attempt of a request has failed; gets neither headers nor body nor query. */
  onGiveUp?: (failure: { method: string; url: string; error: unknown }) => void;
}

/**
 * Creates a fetch that makes up to three attempts if the fetch throws. An aborted request is not retried.
 * Rethrows the last error.
 */
export function retryingFetch(options: RetryingFetchOptions = {}): typeof fetch {
  const { wait = sleep, onGiveUp } = options;
  return async (input, init) => {
    const send = options.fetch ?? fetch;
    for (let attempt = 1; ; attempt++) {
      try {
        return await send(input, init);
      } catch (error) {
        if (isAborted(input, init) || isAbort(error)) throw error;
        if (attempt === ATTEMPTS) {
          onGiveUp?.({ ...describeRequest(input, init), error });
          throw error;
        }
        await wait(firstWait * attempt);
      }
    }
  };
}

function isAborted(input: RequestInfo | URL, init: RequestInit | undefined): boolean {
  return init?.signal?.aborted ?? (input instanceof Request && input.signal.aborted);
}

/** A progress watcher may abort a request, too. */
function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

function describeRequest(
  input: RequestInfo | URL,
  init: RequestInit | undefined,
): { method: string; url: string } {
  const isRequest = input instanceof Request;
  const url = isRequest ? input.url : String(input);
  return { method: init?.method ?? (isRequest ? input.method : 'GET'), url: url.split('?', 1)[0] ?? url };
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
