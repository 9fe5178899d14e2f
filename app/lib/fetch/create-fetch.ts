/**
 * Fetch for the app's own requests, in the browser and on the server: base URL, JSON, one retry for methods
 * that are safe to repeat, and a thrown error for every response of status 400 or more. The clients of the
 * backend use another fetch (`session/retrying-fetch.ts`).
 */

import { FetchError } from './fetch-error.ts';
import type { FetchOptions } from './fetch-options.ts';
import { buildBody, buildUrl, hasPayload } from './request-parts.ts';

/**
 * A response with its parsed body: JSON or text by content type, otherwise a Blob; undefined if there is no
 * body.
 */
export interface FetchedResponse<T> {
  response: Response;
  data: T;
}

/** A fetch made by {@link createFetch}. */
export interface Fetch {
  /**
   * Resolves with the parsed body. Throws a {@link FetchError}, or the signal's reason if the caller
   * aborted.
   */
  <T = unknown>(path: string, options?: FetchOptions): Promise<T>;
  /** Like the call itself, but resolves with the response and the body. */
  raw<T = unknown>(path: string, options?: FetchOptions): Promise<FetchedResponse<T>>;
}

/** Statuses of responses that may succeed on a retry. */
const RETRYABLE = new Set([408, 409, 425, 429, 500, 502, 503, 504]);
/** Status that stands for a request without a response. */
const NO_RESPONSE_STATUS = 500;

/** The outcome of one attempt. */
type Attempt = { response: Response; data: unknown } | { cause: unknown };

/** Creates a fetch that resolves paths against `baseURL`. */
export function createFetch({ baseURL, fetch: send }: { baseURL: string; fetch?: typeof fetch }): Fetch {
  async function raw<T>(path: string, options: FetchOptions = {}): Promise<FetchedResponse<T>> {
    const request = buildUrl(path, baseURL, options.query);
    for (let left = allowedRetries(options); ; left--) {
      const attempt = await tryOnce(send ?? fetch, request, options);
      if (!isFailure(attempt, options)) return attempt as FetchedResponse<T>;
      if (options.signal?.aborted) throw options.signal.reason;
      if (left === 0 || !RETRYABLE.has(statusOf(attempt)))
        throw new FetchError({ request, options, ...attempt });
      if (options.retryDelay) await new Promise((resolve) => setTimeout(resolve, options.retryDelay));
    }
  }
  const get = async <T>(path: string, options?: FetchOptions) => (await raw<T>(path, options)).data;
  return Object.assign(get, { raw });
}

function allowedRetries({ retry, method = 'GET' }: FetchOptions): number {
  if (retry === false) return 0;
  return retry ?? (hasPayload(method) ? 0 : 1);
}

async function tryOnce(send: typeof fetch, request: string, options: FetchOptions): Promise<Attempt> {
  const { method = 'GET', signal, timeout } = options;
  const { body, headers } = buildBody(method, options.body, options.headers);
  const signals = [signal, timeout === undefined ? undefined : AbortSignal.timeout(timeout)];
  const activeSignals = signals.filter((one) => one !== undefined);
  try {
    const all = activeSignals.length > 1 ? AbortSignal.any(activeSignals) : (activeSignals[0] ?? null);
    const response = await send(request, { method, body, headers, signal: all });
    return { response, data: await readBody(response, method) };
  } catch (cause) {
    return { cause };
  }
}

function isFailure(attempt: Attempt, { ignoreResponseError = false }: FetchOptions): boolean {
  return 'cause' in attempt || (attempt.response.status >= 400 && !ignoreResponseError);
}

function statusOf(attempt: Attempt): number {
  return 'cause' in attempt ? NO_RESPONSE_STATUS : attempt.response.status;
}

async function readBody(response: Response, method: string): Promise<unknown> {
  if (method.toUpperCase() === 'HEAD' || response.status === 204 || response.status === 304) return undefined;
  const type = (response.headers.get('content-type') ?? '').split(';', 1)[0] ?? '';
  if (/^application\/(?:[\w.+-]+\+)?json$/i.test(type)) return parseJson(await response.text());
  if (type === '' || /^text\/|^image\/svg|^application\/(?:[\w.+-]+\+)?xml$/i.test(type))
    return response.text();
  return response.blob();
}

/** Returns the text itself if it is not valid JSON. */
function parseJson(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
}
