/**
 * The fetch of the backend's clients on both sides: it tries again where no answer came at all. An answer, of
 * whatever status, is an answer.
 */

/** How often a request is tried in all. */
export const FETCH_ATTEMPTS = 3;
/** Waiting time before the second attempt in milliseconds; before the third it is twice as long. */
export const FETCH_RETRY_MS = 100;

/** What {@link retryingFetch} stands on; tests and the last word on a failure come in here. */
export interface RetryingFetchParts {
  fetch?: typeof fetch;
  wait?: (milliseconds: number) => Promise<void>;
  /** Told about a request for which every attempt failed; headers and body stay out of it. */
  onGiveUp?: (failure: { method: string; url: string; error: unknown }) => void;
}

/**
 * Makes a fetch with {@link FETCH_ATTEMPTS} attempts on thrown errors. An aborted request is not tried again.
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
        if (isAborted(input, init)) throw error;
        if (attempt === FETCH_ATTEMPTS) {
          onGiveUp?.({ ...describeRequest(input, init), error });
          throw error;
        }
        await wait(FETCH_RETRY_MS * attempt);
      }
    }
  };
}

function isAborted(input: RequestInfo | URL, init: RequestInit | undefined): boolean {
  return init?.signal?.aborted ?? (input instanceof Request && input.signal.aborted);
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
