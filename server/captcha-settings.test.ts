import { expect, it } from 'vitest';
import { loadConfig } from './settings.ts';

const KEY = { GREENROOM_CAPTCHA_SITE_KEY: '0x4AAA-b_c' };
const HCAPTCHA = 'https://js.hcaptcha.com/1/api.js';

it.each([
  ['hCaptcha', {}, { provider: 'hcaptcha', scriptUrl: HCAPTCHA }],
  [
    'Turnstile',
    { GOTRUE_SECURITY_CAPTCHA_PROVIDER: 'turnstile' },
    { provider: 'turnstile', scriptUrl: 'https://challenges.cloudflare.com/turnstile/v0/api.js' },
  ],
  [
    'a script from another host',
    { GREENROOM_CAPTCHA_SCRIPT_URL: 'https://captcha.example/api.js?x=1' },
    { provider: 'hcaptcha', scriptUrl: 'https://captcha.example/api.js?x=1' },
  ],
  [
    'a hosted backend that requires captchas',
    { SUPABASE_URL: 'https://abc.supabase.co', SUPABASE_ANON_KEY: 'anon' },
    { provider: 'hcaptcha', scriptUrl: HCAPTCHA },
  ],
])('pages show a captcha if a site key is set: %s', (_, more, widget) => {
  const { app } = loadConfig({ ...KEY, ...more });
  expect(app.captcha).toEqual({ siteKey: '0x4AAA-b_c', ...widget });
});

it('pages show no captcha without a site key, even if the backend requires one', () => {
  const captcha = { GOTRUE_SECURITY_CAPTCHA_ENABLED: 'true', GOTRUE_SECURITY_CAPTCHA_SECRET: 'x' };
  const config = loadConfig({ ...captcha, GREENROOM_CAPTCHA_SCRIPT_URL: HCAPTCHA });
  expect(config.app.captcha).toBeUndefined();
  expect(config.auth.captcha).toBeDefined();
});
