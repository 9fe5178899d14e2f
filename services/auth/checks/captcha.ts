import { verifyCaptchaToken } from '../captcha/verifier.ts';
import type { CaptchaSettings } from '../settings/captcha.ts';
import { type CheckResult, reasonOf } from './check-result.ts';

/** Providers report the secret before the token. */
const WRONG_SECRET = ['invalid-input-secret', 'missing-input-secret', 'sitekey-secret-mismatch'];

/** Asks the provider about a wrong token: it reports whether it knows the secret. */
export async function checkCaptcha(settings: CaptchaSettings): Promise<CheckResult> {
  try {
    const { reasons } = await verifyCaptchaToken(settings, 'greenroom-check', '127.0.0.1');
    const wrong = reasons.find((reason) => WRONG_SECRET.includes(reason));
    if (wrong !== undefined)
      return { isOk: false, message: `The provider does not accept the secret (${wrong}).` };
    return { isOk: true, message: 'The provider accepts the secret.' };
  } catch (error) {
    return { isOk: false, message: `The provider did not respond: ${reasonOf(error)}` };
  }
}
