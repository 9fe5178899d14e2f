/**
 * Signs payloads as in Standard Webhooks (https://www.standardwebhooks.com). The receiver verifies the sender and the
 * time.
 */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/**
 * Creates a key from a secret.
 * @param secret base64 (RFC 4648 §4), with or without `whsec_` in front of it
 */
export function signingKey(secret: string): KeyObject {
  return createSecretKey(secret.replace(/^whsec_/, ''), 'base64');
}

/**
 * The three headers that sign a body. There is one signature per key, so that sender and receiver can change keys at
 * different times.
 */
export function signedHeaders(
  body: string | Uint8Array,
  { id, at, keys }: { id: string; at: Date; keys: readonly KeyObject[] },
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = keys.map(
    (key) => `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`,
  );
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
