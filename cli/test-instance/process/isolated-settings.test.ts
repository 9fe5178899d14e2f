import { expect, it } from 'vitest';
import { isolatedSettings } from './isolated-settings.ts';

const PRODUCTION = 'https://production.example.org';

it('isolates settings that name other servers', () => {
  const names = isolatedSettings({});
  expect(names).toContain('GREENROOM_FUNCTIONS_AI_URL');
  expect(names).toContain('GOTRUE_PASSWORD_HIBP_ENABLED');
  expect(names.filter((name) => name.includes('HOOK'))).toEqual([]);
});

it.each([
  [PRODUCTION, true],
  ['http://127.0.0.1:54321/functions/v1/mail', true],
  [' HTTPS://production.example.org', true],
  ['pg-functions://postgres/public/send_mail', false],
  ['ftp://production.example.org', false],
])('isolates a hook with the URI %s: %s', (uri, expected) => {
  const names = isolatedSettings({ GOTRUE_HOOK_SEND_SMS_URI: uri, GOTRUE_HOOK_SEND_EMAIL_ENABLED: 'true' });
  const ofHook = ['ENABLED', 'URI', 'SECRETS'].map((part) => `GOTRUE_HOOK_SEND_SMS_${part}`);
  expect(names.filter((name) => name.includes('HOOK'))).toEqual(expected ? ofHook : []);
});
