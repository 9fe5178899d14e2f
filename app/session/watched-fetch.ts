/**
 * Upload progress for the official client: the browser's fetch does not report it, so watched uploads use
 * XMLHttpRequest. All other requests use fetch.
 */

/** Observes and aborts one upload. */
interface Watcher {
  /** Receives the number of bytes sent. */
  onProgress(sent: number): void;
  signal: AbortSignal;
}

/** Never sent: it connects a request with its watcher. */
const HEADER = 'x-greenroom-watcher';
const watchers = new Map<string, Watcher>();

/** Observes the requests that carry these headers while `work` runs. */
export async function watched<T>(
  watcher: Watcher,
  work: (headers: Record<string, string>) => Promise<T>,
): Promise<T> {
  const id = crypto.randomUUID();
  watchers.set(id, watcher);
  try {
    return await work({ [HEADER]: id });
  } finally {
    watchers.delete(id);
  }
}

/** A fetch that reports the progress of watched requests. */
export const watchedFetch: typeof fetch = async (input, init) => {
  const headers = new Headers(init?.headers);
  const watcher = watchers.get(headers.get(HEADER) ?? '');
  if (!watcher) return fetch(input, init);
  headers.delete(HEADER);
  watcher.signal.throwIfAborted();
  return send({ url: String(input), method: init?.method ?? 'GET', headers, body: init?.body }, watcher);
};

interface WatchedRequest {
  url: string;
  method: string;
  headers: Headers;
  body: BodyInit | null | undefined;
}

function send(
  { url, method, headers, body }: WatchedRequest,
  { onProgress, signal }: Watcher,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, url);
    for (const [name, value] of headers) request.setRequestHeader(name, value);
    const abort = () => request.abort();
    signal.addEventListener('abort', abort);
    request.upload.onprogress = ({ loaded }) => onProgress(loaded);
    request.onload = () => resolve(new Response(request.responseText, { status: request.status }));
    request.onerror = () => reject(new TypeError('the request failed without a response'));
    request.onabort = () => reject(signal.reason);
    request.onloadend = () => signal.removeEventListener('abort', abort);
    request.send(body as XMLHttpRequestBodyInit | null);
  });
}
