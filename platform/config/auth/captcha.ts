/** Settings of captchas. */
import { z } from 'zod';
import { ConfigError } from '../config-error.ts';
import type { Values } from '../variable.ts';
import { booleanVariable, textVariable, urlVariable, variable } from '../variable.ts';
import { durationVariable } from './kinds.ts';

/** Where each provider verifies tokens. */
const VERIFY_URLS = {
  hcaptcha: 'https://hcaptcha.com/siteverify',
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
};

/** Environment variables. */
export const captchaVariables = {
  GOTRUE_SECURITY_CAPTCHA_ENABLED: booleanVariable({
    default: 'false',
    description: 'Signing up, signing in and asking for messages need a captcha.',
  }),
  GOTRUE_SECURITY_CAPTCHA_PROVIDER: variable(z.enum(['hcaptcha', 'turnstile']), 'hcaptcha, turnstile', {
    default: 'hcaptcha',
    description: 'Whose captcha it is.',
  }),
  GOTRUE_SECURITY_CAPTCHA_SECRET: textVariable('the secret key of the site at the provider', {
    default: undefined,
    secret: true,
    description: 'What this server verifies tokens with; needed where captchas are on.',
  }),
  GOTRUE_SECURITY_CAPTCHA_TIMEOUT: durationVariable({
    default: '5s',
    description: 'How long to wait for the provider; after it the request is refused.',
  }),
  GREENROOM_CAPTCHA_VERIFY_URL: urlVariable({
    default: undefined,
    description: 'Where tokens are verified, in the protocol of both providers. Unset: at the provider.',
  }),
};

/** How tokens are verified. */
export interface CaptchaSettings {
  verifyUrl: string;
  secret: string;
  timeoutMs: number;
}

/** Groups the values; undefined where captchas are off. Throws {@link ConfigError} where the secret is missing. */
export function captchaSettings(values: Values<typeof captchaVariables>): CaptchaSettings | undefined {
  if (!values.GOTRUE_SECURITY_CAPTCHA_ENABLED) return undefined;
  const secret = values.GOTRUE_SECURITY_CAPTCHA_SECRET;
  if (secret === undefined) {
    const { allowed } = captchaVariables.GOTRUE_SECURITY_CAPTCHA_SECRET;
    throw new ConfigError([
      {
        name: 'GOTRUE_SECURITY_CAPTCHA_SECRET',
        value: '',
        allowed: `${allowed} (GOTRUE_SECURITY_CAPTCHA_ENABLED is true)`,
      },
    ]);
  }
  const provider = VERIFY_URLS[values.GOTRUE_SECURITY_CAPTCHA_PROVIDER];
  return {
    secret,
    verifyUrl: values.GREENROOM_CAPTCHA_VERIFY_URL ?? provider,
    timeoutMs: values.GOTRUE_SECURITY_CAPTCHA_TIMEOUT,
  };
}
