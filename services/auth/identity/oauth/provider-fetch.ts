/**
 * Requests to providers. Some of them answer token requests in their own way: with errors as 200, without the type of the
 * token, with scopes as a list. Their answers are put as RFC 6749 §5 has them, so that the library can read them.
 */
import type { CustomFetch } from 'openid-client';
import { list, record, text } from './json.ts';

/** No answer that says who somebody is is longer. */
const MAX_ANSWER_BYTES = 1024 * 1024;

/**
 * Returns the function that fetches from a provider. It tidies answers up, and rejects those that are too long. If the
 * provider may not be private, it rejects with `PrivateAddressError` instead of connecting to a private address.
 */
export function providerFetch(mayBePrivate: boolean): CustomFetch {
  return async (url, options) => {
    const send = mayBePrivate ? fetch : (await import('../../network/public-fetch.ts')).publicFetch;
    return tidy(await send(url, options as RequestInit), options.method);
  };
}

async function tidy(response: Response, method: string): Promise<Response> {
  const body = await readLimited(response);
  const isTokenAnswer = method === 'POST' && response.status === 200;
  const tidied = isTokenAnswer ? tidyTokenAnswer(body.toString('utf8')) : undefined;
  const headers = new Headers(response.headers);
  // The body is no longer as it was sent.
  for (const name of ['content-encoding', 'content-length', 'transfer-encoding']) headers.delete(name);
  if (tidied !== undefined) headers.set('content-type', 'application/json');
  const hasBody = ![204, 205, 304].includes(response.status);
  return new Response(hasBody ? new Uint8Array(Buffer.from(tidied?.body ?? body)) : null, {
    status: tidied?.status ?? response.status,
    headers,
  });
}

async function readLimited(response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) throw new Error('the answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Undefined for what is no JSON object. */
export function tidyTokenAnswer(body: string): { status: number; body: string } | undefined {
  const answer = record(parse(body));
  if (Object.keys(answer).length === 0) return undefined;
  if (text(answer.error) !== undefined) {
    const { error, error_description } = answer;
    return { status: 400, body: JSON.stringify({ error, error_description }) };
  }
  const { token_type, scope, expires_in, ...rest } = answer;
  const seconds = Number(expires_in);
  return {
    status: 200,
    body: JSON.stringify({
      ...rest,
      token_type: 'bearer',
      ...(scope !== undefined && { scope: Array.isArray(scope) ? list(scope).join(' ') : String(scope) }),
      ...(expires_in !== undefined && Number.isFinite(seconds) && { expires_in: seconds }),
    }),
  };
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
