/** Secrets that sign database webhooks, in the format of Standard Webhooks. */
import { randomBytes } from 'node:crypto';

/** The secrets of a key file: texts of the form `whsec_…`. */
export interface WebhookSecrets {
  current: string;
  /** The secret before the last rotation, and its last second (seconds since the epoch). */
  former?: { secret: string; endsAt: number };
}

/** A secret that signs. */
export interface WebhookSecret {
  secret: string;
  /** Seconds since the epoch; undefined if it does not end. */
  endsAt?: number;
}

/** Generates secrets with 32 bytes. */
export function generateWebhookSecrets(): WebhookSecrets {
  return { current: `whsec_${randomBytes(32).toString('base64')}` };
}

/** Returns the configured secrets, otherwise those of the key file, the current one first. */
export function webhookSecretsOf(
  configured: readonly string[] | undefined,
  file: { webhookSecrets?: WebhookSecrets } | undefined,
): WebhookSecret[] {
  if (configured !== undefined) return configured.map((secret) => ({ secret }));
  if (file?.webhookSecrets === undefined) return [];
  const { current, former } = file.webhookSecrets;
  return [{ secret: current }, ...(former === undefined ? [] : [former])];
}

/**
 * Returns the file with a new secret. The present one remains for the overlap, in which both sign.
 * @param now seconds since the epoch
 */
export function rotateWebhookSecret<File extends { webhookSecrets?: WebhookSecrets }>(
  file: File,
  { now, overlapSeconds }: { now: number; overlapSeconds: number },
): File {
  const former = file.webhookSecrets?.current;
  return {
    ...file,
    webhookSecrets: {
      ...generateWebhookSecrets(),
      ...(former !== undefined && { former: { secret: former, endsAt: now + overlapSeconds } }),
    },
  };
}
