/** The captcha that the app's own pages show. Whether the backend asks for one is not decided here. */
import { z } from 'zod';
import { urlVariable, type Values, variable } from './variable.ts';

/** Where each provider's script is. */
const SCRIPT_URLS = {
  hcaptcha: 'https://js.hcaptcha.com/1/api.js',
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/api.js',
};

/** Whose captcha it is. */
type CaptchaProvider = keyof typeof SCRIPT_URLS;

/** Environment variables. */
export const captchaWidgetVariables = {
  GREENROOM_CAPTCHA_SITE_KEY: variable(
    z.string().regex(/^[\w-]{1,128}$/),
    '1 to 128 letters, digits, _ and -',
    {
      default: undefined,
      description:
        'Public key of the site at the provider of captchas. Shows the captcha on the sign-in page.',
    },
  ),
  GREENROOM_CAPTCHA_SCRIPT_URL: urlVariable({
    default: undefined,
    description: "Where browsers load the captcha's script from. Unset: from the provider.",
  }),
};

/** What pages show. All of it is public. */
export interface CaptchaWidget {
  provider: CaptchaProvider;
  siteKey: string;
  scriptUrl: string;
}

/** Groups the values; undefined where there is no site key: then pages show no captcha. */
export function captchaWidget(
  values: Values<typeof captchaWidgetVariables> & { GOTRUE_SECURITY_CAPTCHA_PROVIDER: CaptchaProvider },
): CaptchaWidget | undefined {
  const siteKey = values.GREENROOM_CAPTCHA_SITE_KEY;
  if (siteKey === undefined) return undefined;
  const provider = values.GOTRUE_SECURITY_CAPTCHA_PROVIDER;
  return { provider, siteKey, scriptUrl: values.GREENROOM_CAPTCHA_SCRIPT_URL ?? SCRIPT_URLS[provider] };
}
