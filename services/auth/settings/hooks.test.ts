import { type ConfigSource, loadSettings } from '@greenroom/config';
import { describe, expect, it } from 'vitest';
import { authSettings } from '../settings.ts';

const KEY = Buffer.alloc(24, 7).toString('base64');
const OTHER_KEY = Buffer.alloc(32, 8).toString('base64');
const SECRET = `v1,whsec_${KEY}`;

const emailHook = (uri: string | undefined, secrets?: string, enabled = 'true'): ConfigSource => ({
  GOTRUE_HOOK_SEND_EMAIL_ENABLED: enabled,
  GOTRUE_HOOK_SEND_EMAIL_URI: uri,
  GOTRUE_HOOK_SEND_EMAIL_SECRETS: secrets,
});

describe('settings of hooks', () => {
  it('are empty by default and for disabled hooks', () => {
    expect(loadSettings(authSettings, {}).hooks).toEqual({});
    expect(loadSettings(authSettings, emailHook('https://x.example/', SECRET, 'false')).hooks).toEqual({});
  });

  it.each([
    ['CUSTOM_ACCESS_TOKEN', 'customAccessToken'],
    ['SEND_EMAIL', 'sendEmail'],
    ['SEND_SMS', 'sendSms'],
    ['BEFORE_USER_CREATED', 'beforeUserCreated'],
    ['AFTER_USER_CREATED', 'afterUserCreated'],
    ['MFA_VERIFICATION_ATTEMPT', 'mfaVerificationAttempt'],
    ['PASSWORD_VERIFICATION_ATTEMPT', 'passwordVerificationAttempt'],
  ])('of %s configure the hook %s', (variable, name) => {
    const uri = 'pg-functions://postgres/public/my_hook';
    const source = { [`GOTRUE_HOOK_${variable}_ENABLED`]: 'true', [`GOTRUE_HOOK_${variable}_URI`]: uri };
    expect(loadSettings(authSettings, source).hooks).toEqual({
      [name]: { kind: 'function', uri, schema: 'public', name: 'my_hook' },
    });
  });

  it.each([
    ['https://x.example/a?b=c', SECRET, [KEY]],
    ['https://x.example', `${SECRET}|v1,whsec_${OTHER_KEY}`, [KEY, OTHER_KEY]],
    ['http://localhost:8000/x', SECRET, [KEY]],
    ['http://127.0.0.1:8000', SECRET, [KEY]],
    ['http://127.1.2.3', SECRET, [KEY]],
    ['http://[::1]:8000', SECRET, [KEY]],
  ])('accept the URL %s', (url, secrets, keys) => {
    expect(loadSettings(authSettings, emailHook(url, secrets)).hooks.sendEmail).toEqual({
      kind: 'http',
      url,
      keys,
    });
  });

  it.each([
    'nonsense',
    'ftp://x.example/',
    'http://x.example/',
    'http://127.0.0.1.x.example/',
    'http://localhost.x.example/',
    'http://10.0.0.1/',
    'https://ann:secret@x.example/',
    'pg-functions://postgres/public',
    'pg-functions://postgres/public/',
    'pg-functions://postgres//fn',
    'pg-functions://postgres/public/fn/more',
    'pg-functions://postgres/public/fn"(',
    'pg-functions://postgres/public/1fn',
    'pg-functions://postgres/public/a b',
    `pg-functions://postgres/public/${'x'.repeat(64)}`,
  ])('reject the URI %s', (uri) => {
    const message = `GOTRUE_HOOK_SEND_EMAIL_URI=${JSON.stringify(uri)} is not allowed. Allowed: pg-functions://postgres/SCHEMA/FUNCTION`;
    expect(() => loadSettings(authSettings, emailHook(uri, SECRET))).toThrow(message);
  });

  it.each(['x', KEY, `whsec_${KEY}`, 'v1,whsec_short', `${SECRET}|`, `v1a,whpk_${KEY}:whsk_${KEY}`])(
    'reject the secrets %s without exposing them',
    (secrets) => {
      const load = () => loadSettings(authSettings, emailHook('https://x.example/', secrets));
      expect(load).toThrow('GOTRUE_HOOK_SEND_EMAIL_SECRETS=(hidden) is not allowed. Allowed: v1,whsec_');
    },
  );

  it('report all missing settings', () => {
    const source = {
      ...emailHook('https://x.example/'),
      GOTRUE_HOOK_SEND_SMS_ENABLED: 'true',
      GOTRUE_HOOK_SEND_SMS_SECRETS: SECRET,
    };
    expect(() => loadSettings(authSettings, source)).toThrow(
      /SEND_EMAIL_SECRETS="" .*ENABLED is true\)\n.*SEND_SMS_URI=""/,
    );
  });
});
