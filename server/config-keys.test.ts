/**
 * Every key of config.toml sets a setting with the default of the file format, or the reference says why it does not.
 * The keys and defaults are those of the Supabase CLI; null: no default.
 */
import { readFileSync } from 'node:fs';
import { type ConfigKey, combineLayers, configKeysOf, type Setting } from '@greenroom/config';
import { KEYS_WITHOUT_SETTING, parseConfigFile } from '@greenroom/project/config-file';
import { describe, expect, it } from 'vitest';
import { allSettings, loadConfig } from './settings.ts';

const PROJECT = { folder: '/project', supabaseFolder: '/project/supabase' };

type Default = string | number | boolean | string[] | null;

const keys = Object.entries(
  JSON.parse(readFileSync(new URL('testing/config-keys.json', import.meta.url), 'utf8')) as Record<
    string,
    Default
  >,
);
const providers = [
  ...['apple', 'azure', 'bitbucket', 'discord', 'facebook', 'figma', 'github', 'gitlab', 'google', 'kakao'],
  ...[
    'keycloak',
    'linkedin_oidc',
    'notion',
    'slack_oidc',
    'spotify',
    'twitch',
    'twitter',
    'workos',
    'x',
    'zoom',
  ],
];
const providerKeys = providers.flatMap((provider) => [
  [`auth.external.${provider}.enabled`, false] as const,
  [`auth.external.${provider}.skip_nonce_check`, false] as const,
  [`auth.external.${provider}.email_optional`, false] as const,
  ...['client_id', 'secret', 'url', 'redirect_uri'].map(
    (name) => [`auth.external.${provider}.${name}`, null] as const,
  ),
]);
const officialKeys: readonly (readonly [key: string, initial: Default])[] = [...keys, ...providerKeys];

const parse = (text: string) => {
  return parseConfigFile(text, PROJECT, { settings: allSettings, variable: () => undefined });
};

/** Whether a declaration covers a key; `<name>` in a key is a name of the user. */
function covers({ key, members }: Pick<ConfigKey, 'key' | 'members'>, official: string): boolean {
  if (key === official) return true;
  const rest = official.startsWith(`${key}.`) ? official.slice(key.length + 1) : undefined;
  return rest !== undefined && (members === 'any' || (members?.includes(rest) ?? false));
}

function settingOf(official: string): { setting: Setting; key: ConfigKey } | undefined {
  for (const setting of allSettings) {
    const key = configKeysOf(setting).find((each) => covers(each, official));
    if (key) return { setting, key };
  }
  return undefined;
}

/** Whether other keys have an effect only if this one is true. */
function isRequired(official: string): boolean {
  return allSettings.flatMap(configKeysOf).some(({ requires }) => requires === official);
}

/** Returns the effective value of a setting with a config.toml. */
function effective(text: string, { name, schema, details }: Setting): unknown {
  const { values, defaults } = parse(text);
  const { source } = combineLayers([values, defaults], allSettings);
  const effectiveText = source[name] || details.default;
  return effectiveText === undefined ? undefined : schema.parse(effectiveText);
}

describe('each key of config.toml', () => {
  it.each(officialKeys)('sets a setting, or is documented as without effect: %s', (official) => {
    const isDocumented = KEYS_WITHOUT_SETTING.some((each) => covers(each, official));
    expect([settingOf(official) !== undefined || isRequired(official), isDocumented]).toEqual(
      isDocumented ? [false, true] : [true, false],
    );
  });

  const withDefault = officialKeys.filter(
    ([key, initial]) => initial !== null && settingOf(key) !== undefined,
  );

  it.each(withDefault)('has its default where a config.toml lacks it: %s = %j', (official, initial) => {
    const found = settingOf(official);
    if (found === undefined) return expect.unreachable();
    const { requires } = found.key;
    const required = requires === undefined ? '' : `${requires} = true\n`;
    const written = `${required}${official} = ${JSON.stringify(initial)}\n`;
    expect(effective(required, found.setting)).toEqual(effective(written, found.setting));
  });
});

it('knows all keys of the format', () => {
  const lines = officialKeys
    .filter(([key]) => !key.includes('<name>'))
    .map(([key, initial]) => `${key} = ${JSON.stringify(initial ?? '')}`);
  expect(parse(lines.join('\n')).warnings.filter((line) => line.includes('unknown'))).toEqual([]);
});

describe('keys that other versions of the CLI write', () => {
  it.each([
    ['auth.email.enable_signup = false', { GOTRUE_EXTERNAL_EMAIL_ENABLED: 'false' }],
    ['auth.email.enabled = false', { GOTRUE_EXTERNAL_EMAIL_ENABLED: 'false' }],
    ['auth.sms.enable_signup = true', { GOTRUE_EXTERNAL_PHONE_ENABLED: 'true' }],
    ['auth.external.linkedin.enabled = true', { GOTRUE_EXTERNAL_LINKEDIN_ENABLED: 'true' }],
    ['inbucket.port = 5', { GREENROOM_MAILBOX_PORT: '5' }],
    ['inbucket.smtp_port = 0', {}],
  ])('have the effect of the current ones: %s', (text, expected) => {
    const { values } = parse(text);
    expect(Object.fromEntries(Array.from(values, ([name, { text: value }]) => [name, value]))).toEqual(
      expected,
    );
  });
});

it.each([
  ['auth.email.smtp = { enabled = true, host = "mail.test" }', 'mail.test'],
  ['auth.email.smtp = { enabled = false, host = "mail.test" }', undefined],
  ['auth.email.smtp = { host = "mail.test" }', 'mail.test'],
])('the mail server of config.toml is set unless its table is disabled: %s', (text, host) => {
  expect(parse(text).values.get('GOTRUE_SMTP_HOST')?.text).toBe(host);
});

describe('references to unset variables', () => {
  it.each([
    ['auth.site_url', 'GOTRUE_SITE_URL', ''],
    ['auth.jwt_secret', 'GREENROOM_JWT_SECRET', ''],
    [
      'auth.external.github.redirect_uri',
      'GOTRUE_EXTERNAL_GITHUB_REDIRECT_URI',
      'auth.external.github.enabled = true',
    ],
    ['auth.external.gitlab.url', 'GOTRUE_EXTERNAL_GITLAB_URL', 'auth.external.gitlab.enabled = true'],
  ])('have no effect: %s', (key, name, required) => {
    const { values, problems, warnings } = parse(`${key} = "env(UNSET)"\n${required}`);
    expect({ isSet: values.has(name), problems }).toEqual({ isSet: false, problems: [] });
    expect(warnings).toEqual([
      `supabase/config.toml:1: ${key} has no effect, because the variable UNSET is unset`,
    ]);
  });
});

describe('values whose format differs', () => {
  it.each([
    ['auth.enable_signup = false', 'GOTRUE_DISABLE_SIGNUP', 'true'],
    ['auth.email.enable_confirmations = true', 'GOTRUE_MAILER_AUTOCONFIRM', 'false'],
    ['auth.sms.enable_confirmations = true', 'GOTRUE_SMS_AUTOCONFIRM', 'false'],
    ['storage.file_size_limit = "5MiB"', 'FILE_SIZE_LIMIT', '5242880'],
    ['auth.sms.test_otp = { 4152127777 = "123456" }', 'GOTRUE_SMS_TEST_OTP', '4152127777=123456'],
    ['auth.sms.twilio.enabled = true', 'GOTRUE_SMS_PROVIDER', 'twilio'],
    ['auth.sms.twilio_verify.enabled = true', 'GOTRUE_SMS_PROVIDER', 'twilio_verify'],
    [
      'auth.sms.twilio_verify = { enabled = true, message_service_sid = "VA1" }',
      'GOTRUE_SMS_TWILIO_VERIFY_MESSAGE_SERVICE_SID',
      'VA1',
    ],
    ['local_smtp.smtp_port = 54325', 'GREENROOM_MAILBOX_SMTP_PORT', '54325'],
    ['local_smtp.admin_email = "a@example.org"', 'GREENROOM_MAILBOX_ADMIN_EMAIL', 'a@example.org'],
    [
      'db.settings = { work_mem = "8MB", max_connections = 50 }',
      'GREENROOM_DB_SETTINGS',
      'work_mem=8MB,max_connections=50',
    ],
    ['db.ssl_enforcement.enabled = true', 'GREENROOM_DB_TLS', 'required'],
    ['db.ssl_enforcement.enabled = false', 'GREENROOM_DB_TLS', undefined],
    [
      'db.network_restrictions = { enabled = true, allowed_cidrs = ["192.0.2.0/24", "10.0.0.0/8"] }',
      'GREENROOM_DB_ALLOWED_RANGES',
      '192.0.2.0/24,10.0.0.0/8',
    ],
    [
      'db.network_restrictions = { enabled = true, allowed_cidrs = [] }',
      'GREENROOM_DB_ALLOWED_RANGES',
      'none',
    ],
    [
      'db.network_restrictions = { enabled = false, allowed_cidrs = [] }',
      'GREENROOM_DB_ALLOWED_RANGES',
      undefined,
    ],
    ['auth.signing_keys_path = "./keys.json"', 'GREENROOM_SIGNING_KEYS_FILE', '/project/supabase/keys.json'],
    [
      'auth.email.template.invite.content_path = "./a.html"',
      'GOTRUE_MAILER_TEMPLATES_INVITE',
      '/project/a.html',
    ],
    [
      'auth.email.notification.password_changed.content_path = "./a.html"',
      'GOTRUE_MAILER_TEMPLATES_PASSWORD_CHANGED_NOTIFICATION',
      '/project/supabase/a.html',
    ],
    [
      'auth.hook.send_sms = { enabled = true, uri = "http://host.docker.internal:54321/functions/v1/sms" }',
      'GOTRUE_HOOK_SEND_SMS_URI',
      'http://127.0.0.1:54321/functions/v1/sms',
    ],
    ['api.schemas = ["public", "api"]', 'PGRST_DB_SCHEMAS', 'public,api'],
    [
      'auth.webauthn.rp_origins = ["https://a.test", "https://b.test"]',
      'GOTRUE_WEBAUTHN_RP_ORIGINS',
      'https://a.test,https://b.test',
    ],
    [
      'auth.sms.template = "Code: {{ `{{ .Code }}` }}"', // as `supabase init` wrote it
      'GOTRUE_SMS_TEMPLATE',
      'Code: {{ .Code }}',
    ],
    ['auth.mfa.phone.template = "{{`{{.Code}}`}}"', 'GOTRUE_MFA_PHONE_TEMPLATE', '{{.Code}}'],
    ['auth.sessions.timebox = "0s"', 'GOTRUE_SESSIONS_TIMEBOX', undefined],
    ['auth.sessions.timebox = "24h"', 'GOTRUE_SESSIONS_TIMEBOX', '24h'],
  ])('are converted: %s', (text, name, expected) => {
    const { values, problems } = parse(text);
    expect(problems).toEqual([]);
    expect(values.get(name)?.text).toBe(expected);
  });

  it.each([
    ['letters_digits', ['abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ', '0123456789']],
    ['lower_upper_letters_digits_symbols', [/^[a-z]+$/, /^[A-Z]+$/, /^\d+$/, /^!@#.*'\\:".*~$/]],
  ])('are sets of characters for the password requirement %s', (word, sets) => {
    const { values } = parse(`auth.password_requirements = "${word}"`);
    const text = values.get('GOTRUE_PASSWORD_REQUIRED_CHARACTERS')?.text;
    const { requiredCharacters } = loadConfig({ GOTRUE_PASSWORD_REQUIRED_CHARACTERS: text }).auth.password;
    expect(requiredCharacters).toEqual(
      sets.map((set) => (typeof set === 'string' ? set : expect.stringMatching(set))),
    );
  });
});
