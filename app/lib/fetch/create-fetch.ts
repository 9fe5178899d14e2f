/**
 * The app's own requests, in the browser and on the server: base address, JSON, one more try where that is safe, and an
 * error for every answer that is one. The backend's clients have a fetch of their own (`session/retrying-fetch.ts`).
 */

import { FetchError } from './fetch-error.ts';
import type { FetchOptions } from './fetch-options.ts';
import { buildBody, buildUrl, hasPayload } from './request-parts.ts';

/** An answer with its parsed body: JSON or text by its content type, else a Blob; undefined where there is none. */
export interface FetchedResponse<T> {
  response: Response;
  data: T;
}

/** See {@link createFetch}. */
export interface Fetch {
  /** The parsed body. Throws a {@link FetchError}, or the signal's reason where the caller gave up. */
  <T = unknown>(path: string, options?: FetchOptions): Promise<T>;
  /** The same with the answer around it. */
  raw<T = unknown>(path: string, options?: FetchOptions): Promise<FetchedResponse<T>>;
}

/** Statuses that may be better the next time. */
const RETRYABLE = new Set([408, 409, 425, 429, 500, 502, 503, 504]);
/** A request without an answer counts as this. */
const NO_ANSWER_STATUS = 500;

/** What came of one attempt. */
type Attempt = { response: Response; data: unknown } | { cause: unknown };

/** Makes a fetch whose paths are below `baseURL`. */
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
  const given = signals.filter((one) => one !== undefined);
  try {
    const all = given.length > 1 ? AbortSignal.any(given) : (given[0] ?? null);
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
  return 'cause' in attempt ? NO_ANSWER_STATUS : attempt.response.status;
}

async function readBody(response: Response, method: string): Promise<unknown> {
  if (method.toUpperCase() === 'HEAD' || response.status === 204 || response.status === 304) return undefined;
  const type = (response.headers.get('content-type') ?? '').split(';', 1)[0] ?? '';
  if (/^application\/(?:[\w.+-]+\+)?json$/i.test(type)) return parseJson(await response.text());
  if (type === '' || /^text\/|^image\/svg|^application\/(?:[\w.+-]+\+)?xml$/i.test(type))
    return response.text();
  return response.blob();
}

/** What says it is JSON and is not stays text. */
function parseJson(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
}
