/** Which captcha the sign-in page shows, and what a page must be allowed to load for it. */

/** All of it is public. */
export interface CaptchaSettings {
  /** Whose it is. */
  provider: 'hcaptcha' | 'turnstile';
  /** Public key of the site at the provider. */
  siteKey: string;
  /** Where browsers load the provider's script from. */
  scriptUrl: string;
}

/** Sources of the content security policy, by what comes from them. */
interface CaptchaSources {
  script: readonly string[];
  frame: readonly string[];
  style: readonly string[];
  connect: readonly string[];
}

const HCAPTCHA = ['https://hcaptcha.com', 'https://*.hcaptcha.com'];
const TURNSTILE = ['https://challenges.cloudflare.com'];

/** What the providers ask for, and where their scripts are: docs.hcaptcha.com, developers.cloudflare.com/turnstile. */
const PROVIDERS = {
  hcaptcha: {
    scriptOrigin: 'https://js.hcaptcha.com',
    sources: { script: HCAPTCHA, frame: HCAPTCHA, style: HCAPTCHA, connect: HCAPTCHA },
  },
  turnstile: {
    scriptOrigin: 'https://challenges.cloudflare.com',
    sources: { script: TURNSTILE, frame: TURNSTILE, style: [], connect: [] },
  },
} as const satisfies Record<CaptchaSettings['provider'], { scriptOrigin: string; sources: CaptchaSources }>;

/** What a captcha needs. Where its script comes from elsewhere, that site may do what the provider may. */
export function captchaSources({ provider, scriptUrl }: CaptchaSettings): CaptchaSources {
  const { scriptOrigin, sources } = PROVIDERS[provider];
  const { origin } = new URL(scriptUrl);
  if (origin === scriptOrigin) return sources;
  const withOrigin = (own: readonly string[]) => (own.length === 0 ? own : [...own, origin]);
  return {
    script: withOrigin(sources.script),
    frame: withOrigin(sources.frame),
    style: withOrigin(sources.style),
    connect: withOrigin(sources.connect),
  };
}
