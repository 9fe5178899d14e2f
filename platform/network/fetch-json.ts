/** Fetches JSON from other servers: limited in time and size, without redirects. */

/** Options of {@link fetchJson}. */
interface FetchJsonOptions {
  /** Whether the host may be this machine or in a private network. Only for URLs that the operator has configured. */
  mayBePrivate: boolean;
  timeoutMs: number;
  maxBytes: number;
}

/**
 * Fetches a URL and parses the response as JSON. Rejects with an error that names the reason: no connection, a status
 * other than 200, a response that is too long or not JSON, or `PrivateAddressError`.
 */
export async function fetchJson(url: string, options: FetchJsonOptions): Promise<unknown> {
  const { mayBePrivate, timeoutMs, maxBytes } = options;
  const send = mayBePrivate ? fetch : (await import('./public-fetch.ts')).publicFetch;
  const response = await send(url, {
    headers: { accept: 'application/json' },
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`HTTP ${response.status}`);
  }
  return parse(await readLimited(response, maxBytes));
}

async function readLimited(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw new Error(`the response has more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('the response is not JSON');
  }
}
