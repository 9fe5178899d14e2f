/** Sends manually signed requests of the S3 protocol that no official client would send. */
import { createHash } from 'node:crypto';
import type { StorageServer } from '../../testing/storage-server.ts';
import { TEST_S3_KEYS } from '../../testing/storage-server.ts';
import { canonicalQuery, canonicalRequest } from '../signature/canonical.ts';
import { parseQuery } from '../signature/query.ts';
import { scopeOf, signingKey, signText } from '../signature/verify.ts';

/** Path and headers that are sent. */
interface SentRequest {
  path: string;
  headers: Record<string, string>;
}

/** Options of {@link sendSigned}. */
export interface SignedOptions {
  body?: string | Uint8Array<ArrayBuffer> | undefined;
  headers?: Record<string, string>;
  keys?: { accessKeyId: string; secretAccessKey: string };
  region?: string;
  /** Time of the signature in milliseconds since the epoch. */
  at?: number;
  /** Declared payload hash; default: the hash of the body. */
  payloadHash?: string;
  /** Changes path or headers after they were signed. */
  tamper?: (request: SentRequest) => Partial<SentRequest>;
}

/** A response to a signed request. */
interface S3Reply {
  status: number;
  headers: Headers;
  text: string;
  /** Error code of the response. */
  code: string | undefined;
}

/** Sends a request: `GET /bucket/key?query`. */
export async function sendSigned(
  server: StorageServer,
  target: string,
  options: SignedOptions = {},
): Promise<S3Reply> {
  const { body, keys = TEST_S3_KEYS, region = 'us-east-1', at = Date.now(), tamper } = options;
  const [method = 'GET', below = '/'] = target.split(/ (.*)/s);
  const url = new URL(server.url);
  const path = `${url.pathname}/s3${below}`;
  const date = new Date(at).toISOString().replace(/[-:]|\.\d+/g, '');
  const payloadHash =
    options.payloadHash ??
    createHash('sha256')
      .update(body ?? '')
      .digest('hex');
  const headers: Record<string, string> = {
    'x-amz-date': date,
    'x-amz-content-sha256': payloadHash,
    ...options.headers,
  };
  const credential = { accessKeyId: keys.accessKeyId, day: date.slice(0, 8), region, service: 's3' };
  const signedHeaders = ['host', ...Object.keys(headers)].toSorted();
  const [pathname = '', query = ''] = path.split('?');
  const canonical = canonicalRequest(
    {
      method,
      query: canonicalQuery(parseQuery(query)),
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    },
    { signedHeaders, payloadHash },
    { host: url.host, path: pathname },
  );
  const hash = createHash('sha256').update(canonical).digest('hex');
  const text = ['AWS4-HMAC-SHA256', date, scopeOf(credential), hash].join('\n');
  const signature = signText(signingKey(keys.secretAccessKey, credential), text);
  headers.authorization =
    `AWS4-HMAC-SHA256 Credential=${keys.accessKeyId}/${scopeOf(credential)}, ` +
    `SignedHeaders=${signedHeaders.join(';')}, Signature=${signature}`;
  const sent = { path, headers, ...tamper?.({ path, headers }) };
  const response = await fetch(url.origin + sent.path, { method, headers: sent.headers, body: body ?? null });
  const responseText = await response.text();
  const [, code] = /<Code>(\w+)<\/Code>/.exec(responseText) ?? [];
  return { status: response.status, headers: response.headers, text: responseText, code };
}
