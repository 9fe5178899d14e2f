/** Asks the provider of captchas about a token. hCaptcha and Turnstile speak the same protocol. */

import { z } from 'zod';
import { limitedText } from '../http/limited-text.ts';
import type { CaptchaSettings } from '../settings/captcha.ts';

const MAX_ANSWER_BYTES = 64 * 1024;

const answer = z.object({
  success: z.boolean(),
  'error-codes': z.array(z.string()).nullish(),
});

/** What the provider says. */
interface Verdict {
  isPerson: boolean;
  /** Why not, in the provider's words, e.g. `invalid-input-response`. */
  reasons: string[];
}

/** Asks. Throws where there is no answer in time, or none that makes sense. @param address of the client */
export async function askVerifier(
  { verifyUrl, secret, timeoutMs }: CaptchaSettings,
  token: string,
  address: string,
): Promise<Verdict> {
  const response = await fetch(verifyUrl, {
    method: 'POST',
    body: new URLSearchParams({ secret, response: token, remoteip: address }),
    // A redirect could send the secret elsewhere.
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });
  const text = await limitedText(response, MAX_ANSWER_BYTES);
  if (!response.ok) throw new Error(`the captcha's verifier answered ${response.status}`);
  const { success, 'error-codes': codes } = answer.parse(JSON.parse(text));
  return { isPerson: success, reasons: codes ?? [] };
}
