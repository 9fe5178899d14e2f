/** Settings of a running instance, read and changed by the routes for operators. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createProjectInstance } from './testing/project-instance.ts';

type ProjectInstance = Awaited<ReturnType<typeof createProjectInstance>>;

const CONFIG = `# Settings of the shop.
project_id = "shop"

[auth]
jwt_expiry = 1800 # half an hour
site_url = "env(SITE)"
minimum_password_length = 9

[auth.rate_limit]
# Refreshed sessions.
token_refresh = 70
`;
const KEY = 'sb_secret_operator_settings_test_0123456789abcdef';
const PASSWORD = 'not-for-anyone-else';

let project: ProjectInstance;
let url = '';

beforeAll(async () => {
  project = await createProjectInstance({ 'config.toml': CONFIG });
  const printed = await project.start([], {
    env: {
      SITE: 'http://127.0.0.1:9000',
      GREENROOM_SECRET_KEY: KEY,
      GREENROOM_META_ALLOWED_ADDRESSES: '127.0.0.1',
      GOTRUE_DISABLE_SIGNUP: 'false',
      GOTRUE_SMTP_HOST: '127.0.0.1',
      GOTRUE_SMTP_PORT: '9',
      GOTRUE_SMTP_USER: 'user',
      GOTRUE_SMTP_PASS: PASSWORD,
      GOTRUE_SMTP_ADMIN_EMAIL: 'shop@example.org',
    },
  });
  url = /^ready (.*)$/m.exec(printed)?.[1] ?? '';
});
afterAll(() => project[Symbol.asyncDispose]());
beforeEach(async () => {
  await project.write('config.toml', CONFIG);
});

async function call(method: string, path: string, body?: unknown) {
  const response = await fetch(`${url}/operator/v1${path}`, {
    method,
    headers: { apikey: KEY, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, text, json: text === '' ? undefined : JSON.parse(text) };
}
const list = async () => (await call('GET', '/settings')).json;
const named = async (name: string) =>
  (await list()).settings.find((one: { name: string }) => one.name === name);
const written = () => readFile(join(project.folder, 'supabase', 'config.toml'), 'utf8');
const change = async (changes: { name: string; value: unknown }[], hash?: string) =>
  call('PATCH', '/settings', { config_hash: hash ?? (await list()).config_hash, changes });

describe('GET /operator/v1/settings', () => {
  it.each([
    ['GOTRUE_JWT_EXP', { source: 'config', value: '1800', origin: 'supabase/config.toml:5', refusal: null }],
    ['GOTRUE_DISABLE_SIGNUP', { source: 'environment', value: 'false', refusal: 'environment', edit: null }],
    ['GOTRUE_SITE_URL', { source: 'config', value: 'http://127.0.0.1:9000', refusal: 'variable' }],
    ['GOTRUE_SMTP_PASS', { value: null, is_set: true, is_secret: true, refusal: 'environment' }],
    ['GOTRUE_SECURITY_CAPTCHA_SECRET', { value: null, is_set: false, source: 'default', refusal: 'secret' }],
    ['GOTRUE_SMTP_SENDER_NAME', { source: 'default', refusal: 'restart' }],
    ['GOTRUE_MFA_MAX_ENROLLED_FACTORS', { source: 'default', key: 'auth.mfa.max_enrolled_factors' }],
  ])('describes %s', async (name, expected) => {
    expect(await named(name)).toMatchObject(expected);
  });

  it('describes how a value is edited in config.toml', async () => {
    expect((await named('GOTRUE_JWT_EXP')).edit).toEqual({
      kind: 'number',
      choices: [],
      value: 1800,
      is_in_file: true,
    });
    expect((await named('GOTRUE_URI_ALLOW_LIST')).edit).toMatchObject({ kind: 'list', is_in_file: false });
    expect((await named('GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED')).edit).toMatchObject({
      kind: 'boolean',
      value: false,
    });
  });

  it('contains no secret', async () => {
    const { text } = await call('GET', '/settings');
    const status = JSON.parse((await project.run(['status', '-o', 'json'])).output) as Record<string, string>;
    const secrets = [PASSWORD, KEY, status.SERVICE_ROLE_KEY, status.JWT_SECRET, status.DB_URL];
    for (const secret of secrets) expect(text).not.toContain(secret);
    expect(secrets.every(Boolean)).toBe(true);
  });

  it('shows a setting of the data API in the database', async () => {
    await project.query(`alter role authenticator set pgrst.db_max_rows = '5'`);
    expect(await named('PGRST_DB_MAX_ROWS')).toMatchObject({
      value: '5',
      source: 'database',
      refusal: 'database',
    });
    await project.query('alter role authenticator reset pgrst.db_max_rows');
  });
});

describe('PATCH /operator/v1/settings', () => {
  it('writes values to config.toml with its comments, and applies them', async () => {
    const { status, json } = await change([
      { name: 'GOTRUE_JWT_EXP', value: 900 },
      { name: 'GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED', value: true },
    ]);
    expect([status, json.applied.toSorted()]).toEqual([
      200,
      ['GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED', 'GOTRUE_JWT_EXP'],
    ]);
    expect(await written()).toBe(
      CONFIG.replace('1800 #', '900 #').replace(
        'password_length = 9\n',
        'password_length = 9\nenable_anonymous_sign_ins = true\n',
      ),
    );
    const response = await fetch(`${url}/auth/v1/settings`, { headers: { apikey: KEY } });
    expect((await response.json()).external.anonymous_users).toBe(true);
  });

  it('removes a key to restore the default', async () => {
    const { json } = await change([{ name: 'GOTRUE_RATE_LIMIT_TOKEN_REFRESH', value: null }]);
    expect(json.before[0]).toMatchObject({ value: '70', source: 'config' });
    expect(json.after[0]).toMatchObject({ source: 'default' });
    expect(await written()).not.toContain('token_refresh');
    expect(await written()).toContain('# Refreshed sessions.');
  });

  it('refuses a version of the file that another administrator has replaced', async () => {
    const { config_hash: hash } = await list();
    await project.write('config.toml', `${CONFIG}# another change\n`);
    const { status, json } = await change([{ name: 'GOTRUE_JWT_EXP', value: 900 }], hash);
    expect([status, json.code]).toEqual([409, 'config_changed']);
    expect(await written()).toBe(`${CONFIG}# another change\n`);
  });

  it.each([
    ['GOTRUE_DISABLE_SIGNUP', true, 409, 'setting_not_editable'],
    ['GOTRUE_SITE_URL', 'http://x', 409, 'setting_not_editable'],
    ['GOTRUE_SECURITY_CAPTCHA_SECRET', 'x', 409, 'setting_not_editable'],
    ['NOTHING', 'x', 404, 'setting_not_found'],
    ['GOTRUE_JWT_EXP', 'soon', 400, 'invalid_settings'],
    ['GOTRUE_JWT_EXP', -1, 400, 'invalid_settings'],
    ['GOTRUE_URI_ALLOW_LIST', ['a,b'], 400, 'invalid_settings'],
  ])('refuses %s = %j and keeps the file', async (name, value, status, code) => {
    const refused = await change([{ name, value }]);
    expect([refused.status, refused.json.code]).toEqual([status, code]);
    expect(await written()).toBe(CONFIG);
  });

  it('restores the file if the instance rejects the settings together', async () => {
    const { status, json } = await change([{ name: 'GOTRUE_SECURITY_CAPTCHA_ENABLED', value: true }]);
    expect([status, json.code]).toEqual([400, 'invalid_settings']);
    expect(json.message).toContain('auth.captcha.secret');
    expect(await written()).toBe(CONFIG);
  });
});

describe('PUT /operator/v1/templates', () => {
  const put = async (kind: string, text: object) =>
    call('PUT', `/templates/${kind}`, { config_hash: (await list()).config_hash, ...text });
  const configured = async (kind: string) => {
    const response = await fetch(`${url}/auth/v1/admin/templates`, {
      headers: { apikey: KEY, authorization: `Bearer ${KEY}` },
    });
    const { templates } = await response.json();
    return templates.find((one: { kind: string }) => one.kind === kind);
  };

  it('writes subject and file of a mail, and restores the built-in mail', async () => {
    const body = '<p>{{ .Token }}</p>';
    expect((await put('recovery', { subject: 'Back in', body })).status).toBe(200);
    expect(await written()).toContain('[auth.email.template.recovery]\nsubject = "Back in"\n');
    expect(await configured('recovery')).toMatchObject({ subject: 'Back in', body });
    const again = await put('recovery', { body: '<p>Again {{ .Token }}</p>' });
    expect(again.status).toBe(200);
    expect(await configured('recovery')).toMatchObject({ body: '<p>Again {{ .Token }}</p>' });
    expect((await put('recovery', { subject: null, body: null })).status).toBe(200);
    expect(await configured('recovery')).toMatchObject({ subject: null, body: null });
  });

  it('writes and enables a notification next to its own table', async () => {
    expect((await put('password_changed_notification', { body: '<p>x</p>', is_enabled: true })).status).toBe(
      200,
    );
    expect(await written()).toContain('[auth.email.notification.password_changed]');
    expect(await configured('password_changed_notification')).toMatchObject({
      body: '<p>x</p>',
      is_enabled: true,
    });
  });

  it('writes the text of an SMS', async () => {
    expect((await put('sms', { body: 'Code: {{ .Code }}' })).status).toBe(200);
    expect(await configured('sms')).toMatchObject({ body: 'Code: {{ .Code }}' });
  });

  it('keeps file and settings if a template is not valid', async () => {
    const { status, json } = await put('invite', { body: '<p>{{ .Token </p>' });
    expect([status, json.code]).toEqual([400, 'invalid_settings']);
    expect(await written()).toBe(CONFIG);
    await expect(readFile(join(project.folder, 'supabase/templates/invite.html'))).rejects.toThrow('ENOENT');
  });

  it('responds with 404 to an unknown template', async () => {
    expect((await put('nothing', { body: 'x' })).status).toBe(404);
  });
});

describe('other routes', () => {
  it('checks the mail server and reports its refusal', async () => {
    const { json } = await call('POST', '/settings/test', { kind: 'smtp' });
    expect(json).toMatchObject({ is_ok: false, message: expect.stringContaining('ECONNREFUSED') });
    expect((await call('POST', '/settings/test', { kind: 'provider', name: 'github' })).status).toBe(404);
  });

  it('returns the public keys only', async () => {
    const { json } = await call('POST', '/keys/reveal', { name: 'publishable' });
    expect(json.value).toMatch(/^sb_publishable_/);
    for (const name of ['secret', 'serviceRole', 'service_role'])
      expect((await call('POST', '/keys/reveal', { name })).status).toBe(400);
  });

  it('lists the keys that sign tokens, and refuses a rotation that verifiers would miss', async () => {
    const { json } = await call('GET', '/keys');
    expect(json.signing_keys).toEqual([expect.objectContaining({ state: 'current', algorithm: 'ES256' })]);
    const { json: first } = await call('POST', '/keys/rotate', {});
    expect(first.lines[0]).toMatch(/^Created the standby key/);
    const { status, json: second } = await call('POST', '/keys/rotate', {});
    expect([status, second.code]).toEqual([409, 'key_not_changed']);
  });
});
