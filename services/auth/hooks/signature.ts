/**
 * Signs payloads as in Standard Webhooks (https://www.standardwebhooks.com). The receiver verifies the sender and the
 * time.
 */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/**
 * Creates a key from a setting.
 * @param base64 the part after `whsec_`
 */
export function signingKey(base64: string): KeyObject {
  return createSecretKey(base64, 'base64');
}

/**
 * The three headers that sign a body. There is one signature per key, so that sender and receiver can change keys at
 * different times.
 */
export function signedHeaders(
  body: string,
  { id, at, keys }: { id: string; at: Date; keys: readonly KeyObject[] },
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signed = `${id}.${timestamp}.${body}`;
  const signatures = keys.map((key) => `v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
