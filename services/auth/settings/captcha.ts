import {
  booleanSetting,
  ConfigError,
  durationSetting,
  enumSetting,
  missingSetting,
  type SettingsOf,
  textSetting,
  urlSetting,
} from '@greenroom/config';

/** URL at which each provider verifies tokens. */
const VERIFY_URLS = {
  hcaptcha: 'https://hcaptcha.com/siteverify',
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
};

export const captchaTree = {
  isEnabled: booleanSetting('GOTRUE_SECURITY_CAPTCHA_ENABLED', {
    default: 'false',
    configKey: 'auth.captcha.enabled',
    description: 'Whether sign-up, sign-in and requests for messages require a captcha.',
  }),
  provider: enumSetting('GOTRUE_SECURITY_CAPTCHA_PROVIDER', ['hcaptcha', 'turnstile'], {
    default: 'hcaptcha',
    configKey: { key: 'auth.captcha.provider', requires: 'auth.captcha.enabled' },
    description: 'Captcha provider.',
  }),
  secret: textSetting('GOTRUE_SECURITY_CAPTCHA_SECRET', 'a secret key', {
    default: undefined,
    secret: true,
    configKey: { key: 'auth.captcha.secret', requires: 'auth.captcha.enabled' },
    description: "The site's secret key at the provider; required if captchas are enabled.",
  }),
  timeoutMs: durationSetting('GOTRUE_SECURITY_CAPTCHA_TIMEOUT', {
    default: '5s',
    description: 'Maximum time to wait for the provider; after it, the request is rejected.',
  }),
  verifyUrl: urlSetting('GREENROOM_CAPTCHA_VERIFY_URL', {
    default: undefined,
    description: 'URL that verifies tokens. Unset: the URL of the provider.',
  }),
};

/** The settings of enabled captchas. */
export interface CaptchaSettings {
  verifyUrl: string;
  secret: string;
  timeoutMs: number;
}

/** Returns undefined if captchas are disabled. Throws ConfigError if the secret is missing. */
export function completeCaptcha(values: SettingsOf<typeof captchaTree>): CaptchaSettings | undefined {
  const { isEnabled, provider, secret, timeoutMs, verifyUrl } = values;
  if (!isEnabled) return undefined;
  if (secret === undefined) {
    throw new ConfigError([missingSetting(captchaTree.secret, `${captchaTree.isEnabled.name} is true`)]);
  }
  return { secret, timeoutMs, verifyUrl: verifyUrl ?? VERIFY_URLS[provider] };
}
