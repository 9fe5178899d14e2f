import { readFile } from 'node:fs/promises';
import { instanceSettings, loadSettings, settingsIn } from '@greenroom/config';
import { describe, expect, it } from 'vitest';
import { authSettings } from '../settings.ts';
import { parseCharacterSets } from './passwords.ts';

describe('settings of the authentication service', () => {
  it('have defaults', () => {
    const auth = loadSettings(authSettings, {});
    expect(auth).toMatchObject({
      externalUrl: 'http://127.0.0.1:54321',
      maxRequestMs: 10_000,
      jwt: { expirySeconds: 3600, audience: 'authenticated', issuer: 'http://127.0.0.1:54321/auth/v1' },
      autoconfirm: { email: true, phone: true },
      external: { email: true, phone: true, anonymousUsers: false },
      refreshTokens: {
        rotation: true,
        reuseIntervalMs: 10_000,
        version: 0,
        upgradePercentage: 0,
        allowReuse: false,
      },
      sessions: { timeboxMs: undefined, singlePerUser: false, tags: [] },
      password: { minLength: 6, requiredCharacters: [] },
      rateLimits: { header: undefined, failedSignIns: 30 },
      auditLog: true,
    });
  });

  it.each([
    [{ PORT: '8080' }, 'http://127.0.0.1:8080/auth/v1'],
    [{ HOST: '0.0.0.0' }, 'http://127.0.0.1:54321/auth/v1'],
    [{ HOST: '::1' }, 'http://[::1]:54321/auth/v1'],
    [{ API_EXTERNAL_URL: 'https://x.example/' }, 'https://x.example/auth/v1'],
    [{ API_EXTERNAL_URL: 'https://x.example', GOTRUE_JWT_ISSUER: 'me' }, 'me'],
  ])('set the issuer of %j', (env, issuer) => {
    expect(loadSettings(authSettings, env).jwt.issuer).toBe(issuer);
  });

  it.each([
    ['10s', 10_000],
    ['1h30m', 5_400_000],
    ['500ms', 500],
    ['1.5m', 90_000],
  ])('parse the duration %s', (text, ms) => {
    expect(loadSettings(authSettings, { GOTRUE_SESSIONS_TIMEBOX: text }).sessions.timeboxMs).toBe(ms);
  });

  it('configure content and recipients of mails', () => {
    const { mail } = loadSettings(authSettings, {
      GOTRUE_MAILER_SUBJECTS_MAGIC_LINK: 'Hello',
      GOTRUE_MAILER_TEMPLATES_MFA_FACTOR_ENROLLED_NOTIFICATION: 'C:\\mails\\factor.html',
      GOTRUE_MAILER_NOTIFICATIONS_MFA_FACTOR_ENROLLED_ENABLED: 'true',
      GOTRUE_MAILER_URLPATHS_EMAIL_CHANGE: '/go',
      GOTRUE_EXTERNAL_EMAIL_AUTHORIZED_ADDRESSES: 'Ann@example.org, bob@example.org',
    });
    expect(mail).toMatchObject({
      overrides: {
        magic_link: { subject: 'Hello', template: undefined },
        mfa_factor_enrolled_notification: { subject: undefined, template: 'C:\\mails\\factor.html' },
      },
      notifies: { mfa_factor_enrolled: true, mfa_factor_unenrolled: false },
      linkPaths: { email_change: '/go', recovery: '/auth/v1/verify' },
      authorizedAddresses: ['ann@example.org', 'bob@example.org'],
      templateMaxBytes: 1_000_000,
      templateMaxAgeMs: 600_000,
    });
  });

  it('parse numbers with fixed codes', () => {
    const { testCodes } = loadSettings(authSettings, {
      GOTRUE_SMS_TEST_OTP: '+15550100=123456, 15550101=654321',
    });
    expect([...testCodes]).toEqual([
      ['15550100', '123456'],
      ['15550101', '654321'],
    ]);
  });

  it.each([
    [{}, 'http://localhost:54321'],
    [{ SITE_URL: 'https://x.example/app' }, 'https://x.example/app'],
    [{ SITE_URL: 'https://x.example', GREENROOM_BASE_URL: '/app/' }, 'https://x.example/app'],
  ])('set the site of %j', (env, siteUrl) => {
    expect(loadSettings(authSettings, env).redirects.siteUrl).toBe(siteUrl);
  });

  it.each([
    ['GOTRUE_MAILER_AUTOCONFIRM', 'no', 'true, false'],
    ['GOTRUE_MAILER_TEMPLATES_INVITE', 'ftp://x', 'an http, https or file URL, or the path of an HTML file'],
    ['GOTRUE_MAILER_URLPATHS_INVITE', 'mailto:x', 'a path such as /auth/v1/verify, or an http or https URL'],
    ['GOTRUE_MAILER_NOTIFICATIONS_EMAIL_CHANGED_ENABLED', 'yes', 'true, false'],
    ['GOTRUE_MAILER_OTP_LENGTH', '5', 'a whole number from 6 to 10'],
    ['GOTRUE_SMS_TEST_OTP', '15550100', 'pairs of phone number and code'],
    ['GOTRUE_SMS_TEST_OTP_VALID_UNTIL', 'tomorrow', 'a time such as 2027-01-31T00:00:00Z'],
    ['GOTRUE_SESSIONS_TIMEBOX', '0s', 'a positive duration'],
    ['GOTRUE_SESSIONS_TIMEBOX', '-1h', 'a positive duration'],
    ['GOTRUE_SESSIONS_TIMEBOX', '60', 'a positive duration'],
    ['GOTRUE_PASSWORD_MIN_LENGTH', '5', 'a whole number from 6 to 72'],
    ['GOTRUE_JWT_EXP', '0', 'a whole number from 1'],
    ['GOTRUE_RATE_LIMIT_OTP', '-1', 'a number of requests'],
    ['GOTRUE_RATE_LIMIT_HEADER', 'no header', 'the name of a request header'],
    ['GOTRUE_DISABLE_SIGNUP', 'yes', 'true, false'],
    ['API_EXTERNAL_URL', 'example.org', 'an http:// or https:// URL'],
  ])('reject %s=%s', (name, value, allowed) => {
    const message = `${name}=${JSON.stringify(value)} is not allowed. Allowed: ${allowed}`;
    expect(() => loadSettings(authSettings, { [name]: value })).toThrow(message);
  });
});

describe('parseCharacterSets', () => {
  it.each([
    ['', []],
    ['abc', ['abc']],
    ['abc:0123', ['abc', '0123']],
    ['abc::0123:', ['abc', '0123']],
    ['a\\:b:c', ['a:b', 'c']],
    ['\\:', [':']],
  ])('parses %j', (text, sets) => {
    expect(parseCharacterSets(text)).toEqual(sets);
  });
});

/** Settings of the instance that the page also lists. */
const { externalUrl, ownAlgorithm } = instanceSettings.tree;
const documented = [...settingsIn(authSettings.tree), externalUrl, ownAlgorithm].filter(
  ({ name, details }) => details.documentedAs === undefined && name !== 'GOTRUE_SMS_PROVIDER',
);

describe('the reference page', () => {
  it.each(documented)('has $name with its default', async ({ name, details: { default: initial } }) => {
    const page = await readFile(new URL('../../../docs/reference/auth.md', import.meta.url), 'utf8');
    const row = page.split('\n').find((line) => line.startsWith(`| \`${name}\` |`));
    expect(row?.split('|')[2]?.trim()).toBe(initial ? `\`${initial}\`` : '–');
  });

  it('has no other variable', async () => {
    const page = await readFile(new URL('../../../docs/reference/auth.md', import.meta.url), 'utf8');
    const rows = [...page.matchAll(/^\| `([A-Z0-9_]+)` \|/gm)].map((row) => row[1]);
    expect(rows.sort()).toEqual(documented.map(({ name }) => name).sort());
  });
});
