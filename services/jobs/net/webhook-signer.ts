/** Signs requests of webhooks, so that endpoints recognize the instance and reject copies. */
import { signedHeaders, signingKey, type WebhookSecret } from '@greenroom/keys';

/** Returns the headers for an attempt. */
export type SignWebhook = (id: string, body: Uint8Array) => Record<string, string>;

/**
 * Creates the function that signs with each secret until it ends.
 * @param secrets without any, requests have no signature
 */
export function createWebhookSigner(secrets: readonly WebhookSecret[], now: () => Date): SignWebhook {
  const keys = secrets.map(({ secret, endsAt }) => ({ key: signingKey(secret), endsAt }));
  return (id, body) => {
    const at = now();
    const current = keys.filter(({ endsAt }) => endsAt === undefined || at.getTime() < endsAt * 1000);
    if (current.length === 0) return {};
    return signedHeaders(body, { id, at, keys: current.map(({ key }) => key) });
  };
}
