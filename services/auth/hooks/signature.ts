/** Signatures of Standard Webhooks (https://www.standardwebhooks.com): the receiver sees who asks, and when. */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/** A key as configuration has it. @param base64 what follows `whsec_` */
export function signingKey(base64: string): KeyObject {
  return createSecretKey(base64, 'base64');
}

/**
 * The three headers that sign a body: one signature for each key, so that keys can be exchanged one side after the
 * other.
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
