/** Verifies captcha tokens at the provider. hCaptcha and Turnstile have the same protocol. */

import { z } from 'zod';
import { limitedText } from '../http/limited-text.ts';
import type { CaptchaSettings } from '../settings/captcha.ts';

const MAX_RESPONSE_BYTES = 64 * 1024;

const responseSchema = z.object({
  success: z.boolean(),
  'error-codes': z.array(z.string()).nullish(),
});

/** The provider's decision about a token. */
interface Verdict {
  isPerson: boolean;
  /** Error codes of the provider, e.g. `invalid-input-response`. */
  reasons: string[];
}

/**
 * Verifies a token. Throws if the provider does not respond in time, or not with a valid response.
 * @param address of the client
 */
export async function verifyCaptchaToken(
  { verifyUrl, secret, timeoutMs }: CaptchaSettings,
  token: string,
  address: string,
): Promise<Verdict> {
  const response = await fetch(verifyUrl, {
    method: 'POST',
    body: new URLSearchParams({ secret, response: token, remoteip: address }),
    // Following a redirect could send the secret to another server.
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });
  const text = await limitedText(response, MAX_RESPONSE_BYTES);
  if (!response.ok) throw new Error(`the captcha provider responded with status ${response.status}`);
  const { success, 'error-codes': codes } = responseSchema.parse(JSON.parse(text));
  return { isPerson: success, reasons: codes ?? [] };
}
