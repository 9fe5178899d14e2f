/**
 * The fetch of the backend's clients on both sides: it tries again where no answer came at all. An answer, of
 * whatever status, is an answer.
 */
import { CONSTANTS } from '../constants.ts';

const { attempts: ATTEMPTS, firstWait } = CONSTANTS.backendFetch;

/** What {@link retryingFetch} stands on; tests and the last word on a failure come in here. */
interface RetryingFetchParts {
  fetch?: typeof fetch;
  wait?: (milliseconds: number) => Promise<void>;
  /** Told about a request for which every attempt failed; headers and body stay out of it. */
  onGiveUp?: (failure: { method: string; url: string; error: unknown }) => void;
}

/**
 * Makes a fetch with three attempts on thrown errors. An aborted request is not tried again.
 * Rethrows the last error.
 */
export function retryingFetch(parts: RetryingFetchParts = {}): typeof fetch {
  const { wait = sleep, onGiveUp } = parts;
  return async (input, init) => {
    const send = parts.fetch ?? fetch;
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

/** Whoever watches a request may end it, too. */
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
