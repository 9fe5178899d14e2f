/**
 * The official client's uploads, as somebody watches them: browsers' fetch tells nothing about what has left, so these
 * go by XMLHttpRequest. All other requests go as ever.
 */

/** Somebody who watches an upload. */
interface Watcher {
  /** Bytes of the request that have left. */
  onProgress(sent: number): void;
  signal: AbortSignal;
}

/** Never sent: it says which watcher a request belongs to. */
const HEADER = 'x-greenroom-watcher';
const watchers = new Map<string, Watcher>();

/** Watches the requests that carry these headers, while `work` goes on. */
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

/** See the head of this file. */
export const watchedFetch: typeof fetch = async (input, init) => {
  const headers = new Headers(init?.headers);
  const watcher = watchers.get(headers.get(HEADER) ?? '');
  if (!watcher) return fetch(input, init);
  headers.delete(HEADER);
  watcher.signal.throwIfAborted();
  return send({ url: String(input), method: init?.method ?? 'GET', headers, body: init?.body }, watcher);
};

interface Sent {
  url: string;
  method: string;
  headers: Headers;
  body: BodyInit | null | undefined;
}

function send({ url, method, headers, body }: Sent, { onProgress, signal }: Watcher): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, url);
    for (const [name, value] of headers) request.setRequestHeader(name, value);
    const abort = () => request.abort();
    signal.addEventListener('abort', abort);
    request.upload.onprogress = ({ loaded }) => onProgress(loaded);
    request.onload = () => resolve(new Response(request.responseText, { status: request.status }));
    request.onerror = () => reject(new TypeError('the request had no answer'));
    request.onabort = () => reject(signal.reason);
    request.onloadend = () => signal.removeEventListener('abort', abort);
    request.send(body as XMLHttpRequestBodyInit | null);
  });
}
