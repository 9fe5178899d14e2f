/** The captcha of the sign-in page, and the sources that the content security policy must allow for it. */

/** Public settings of the captcha. */
export interface CaptchaSettings {
  provider: 'hcaptcha' | 'turnstile';
  /** Public key of the site at the provider. */
  siteKey: string;
  /** URL from which browsers load the provider's script. */
  scriptUrl: string;
}

/** Sources of the content security policy, by directive. */
interface CaptchaSources {
  script: readonly string[];
  frame: readonly string[];
  style: readonly string[];
  connect: readonly string[];
}

const HCAPTCHA = ['https://hcaptcha.com', 'https://*.hcaptcha.com'];
const TURNSTILE = ['https://challenges.cloudflare.com'];

/** Required sources and script origins: docs.hcaptcha.com, developers.cloudflare.com/turnstile. */
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

/**
 * Returns the sources that a captcha needs. If the script comes from another origin, that origin gets the
 * permissions of the provider.
 */
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
