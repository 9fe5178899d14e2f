/** HTTP requests to providers of SMS. */
import type { SmsRequest } from './provider.ts';

/** The same timeout as GoTrue's. */
const TIMEOUT_MS = 10_000;

/** Requests a resource; `body` is undefined if the response is not JSON. */
export async function get(url: string, { path, headers }: Pick<SmsRequest, 'path' | 'headers'>) {
  const response = await fetch(url + path, {
    headers: { ...headers, accept: 'application/json' },
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return { status: response.status, body: parseJson(await response.text()) };
}

/** Sends a request; `body` is undefined if the response is not JSON. Does not follow redirects, because the credentials are for this server only. */
export async function post(url: string, { path, headers, form }: SmsRequest, signal?: AbortSignal) {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { ...headers, accept: 'application/json' },
    body: new URLSearchParams(form),
    redirect: 'manual',
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  });
  return { status: response.status, body: parseJson(await response.text()) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
