/** Verifies the signature of a webhook by the Standard Webhooks specification (https://www.standardwebhooks.com). */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** Older requests may be replays. */
const TOLERANCE_SECONDS = 300;
const SECRET = /^whsec_([A-Za-z0-9+/]+={0,2})$/;
const VERSION = 'v1,';

/** A signed request. */
export interface SignedMessage {
  headers: Headers;
  /** The body, byte by byte as it was received. */
  body: string;
  /** `whsec_` and the key in base64. */
  secret: string;
  /** Milliseconds since 1970. */
  now: number;
}

/** Returns the id of the message, or undefined if its signature is wrong or too old. Throws if the secret has another format. */
export function verifyWebhook({ headers, body, secret, now }: SignedMessage): string | undefined {
  const [, key] = SECRET.exec(secret) ?? [];
  if (key === undefined) throw new Error('The secret of a webhook is whsec_ and a key in base64.');
  const id = headers.get('webhook-id');
  const timestamp = headers.get('webhook-timestamp');
  const signatures = headers.get('webhook-signature');
  if (!id || !timestamp || !signatures || !/^\d{1,12}$/.test(timestamp)) return undefined;
  if (Math.abs(now / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) return undefined;
  const expected = createHmac('sha256', Buffer.from(key, 'base64'))
    .update(`${id}.${timestamp}.${body}`)
    .digest();
  // While a secret is replaced, a message has a signature for each.
  const isSigned = signatures
    .split(' ')
    .filter((signature) => signature.startsWith(VERSION))
    .map((signature) => Buffer.from(signature.slice(VERSION.length), 'base64'))
    .some((signature) => signature.length === expected.length && timingSafeEqual(signature, expected));
  return isSigned ? id : undefined;
}
