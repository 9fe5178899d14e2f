/** The form field that contains the token of a captcha. */

export const CAPTCHA_FIELD = 'captchaToken';

/** Providers' tokens have about 2,000 characters; the auth service rejects longer ones than this. */
const MAX_TOKEN_LENGTH = 8192;

/**
 * Returns options of the official client for a call that may need a captcha. An invalid token counts as
 * missing: the auth service then responds as without a token.
 */
export function captchaOptions(form: FormData): { captchaToken?: string } {
  const token = form.get(CAPTCHA_FIELD);
  const isToken = typeof token === 'string' && token !== '' && token.length <= MAX_TOKEN_LENGTH;
  return isToken ? { captchaToken: token } : {};
}
