/**
 * Upload progress for the official client: the browser's fetch does not report it, so observed uploads use
 * XMLHttpRequest. All other requests use fetch.
 */

/** Observes and aborts one upload. */
interface UploadObserver {
  /** Receives the number of bytes sent. */
  onProgress(sent: number): void;
  signal: AbortSignal;
}

/** Never sent: it connects a request with its observer. */
const HEADER = 'x-greenroom-watcher';
const observers = new Map<string, UploadObserver>();

/** Observes the requests that carry these headers while `work` runs. */
export async function observeUpload<T>(
  observer: UploadObserver,
  work: (headers: Record<string, string>) => Promise<T>,
): Promise<T> {
  const id = crypto.randomUUID();
  observers.set(id, observer);
  try {
    return await work({ [HEADER]: id });
  } finally {
    observers.delete(id);
  }
}

/** A fetch that reports the progress of observed requests. */
export const observableFetch: typeof fetch = async (input, init) => {
  const headers = new Headers(init?.headers);
  const observer = observers.get(headers.get(HEADER) ?? '');
  if (!observer) return fetch(input, init);
  headers.delete(HEADER);
  observer.signal.throwIfAborted();
  return send({ url: String(input), method: init?.method ?? 'GET', headers, body: init?.body }, observer);
};

interface ObservedRequest {
  url: string;
  method: string;
  headers: Headers;
  body: BodyInit | null | undefined;
}

function send(
  { url, method, headers, body }: ObservedRequest,
  { onProgress, signal }: UploadObserver,
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
