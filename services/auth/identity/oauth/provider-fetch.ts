/**
 * Requests to providers. Some providers deviate from RFC 6749 §5 in token responses: errors with status 200, no
 * token type, scopes as an array. This module normalises them for openid-client.
 */
import type { CustomFetch } from 'openid-client';
import { list, record, text } from './json.ts';

/** Far longer than any legitimate response. */
const MAX_RESPONSE_BYTES = 1024 * 1024;

/**
 * Returns the function that fetches from a provider. It normalises token responses and rejects overlong ones.
 * If the provider may not be private, it rejects with `PrivateAddressError` instead of connecting to a private
 * address.
 */
export function providerFetch(mayBePrivate: boolean): CustomFetch {
  return async (url, options) => {
    const send = mayBePrivate ? fetch : (await import('@greenroom/network/public-fetch')).publicFetch;
    return normaliseResponse(await send(url, options as RequestInit), options.method);
  };
}

async function normaliseResponse(response: Response, method: string): Promise<Response> {
  const body = await readLimited(response);
  const isTokenResponse = method === 'POST' && response.status === 200;
  const normalised = isTokenResponse ? normaliseTokenResponse(body.toString('utf8')) : undefined;
  const headers = new Headers(response.headers);
  // The body was decoded and may have been rewritten.
  for (const name of ['content-encoding', 'content-length', 'transfer-encoding']) headers.delete(name);
  if (normalised !== undefined) headers.set('content-type', 'application/json');
  const hasBody = ![204, 205, 304].includes(response.status);
  return new Response(hasBody ? new Uint8Array(Buffer.from(normalised?.body ?? body)) : null, {
    status: normalised?.status ?? response.status,
    headers,
  });
}

async function readLimited(response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_RESPONSE_BYTES) throw new Error('the response is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Returns the normalised token response, or undefined if the body is not a JSON object. */
export function normaliseTokenResponse(body: string): { status: number; body: string } | undefined {
  const response = record(parse(body));
  if (Object.keys(response).length === 0) return undefined;
  if (text(response.error) !== undefined) {
    const { error, error_description } = response;
    return { status: 400, body: JSON.stringify({ error, error_description }) };
  }
  const { token_type, scope, expires_in, ...rest } = response;
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
