/** The field of a form that holds the token of a captcha. */

/** Its name. */
export const CAPTCHA_FIELD = 'captchaToken';

/** Providers' tokens have about 2,000 characters; the auth service takes no longer ones. */
const MAX_TOKEN_LENGTH = 8192;

/**
 * Options of the official client for a call that may need a captcha. A field that cannot hold a token counts as none:
 * the auth service then says what it says to a request without one.
 */
export function captchaOptions(form: FormData): { captchaToken?: string } {
  const token = form.get(CAPTCHA_FIELD);
  const isToken = typeof token === 'string' && token !== '' && token.length <= MAX_TOKEN_LENGTH;
  return isToken ? { captchaToken: token } : {};
}
