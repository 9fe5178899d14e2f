import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { loadConfig } from '@greenroom/server/settings';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { explained, readConfig, readSettings } from './settings.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-settings-'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}

const CONFIG = 'supabase/config.toml';

describe('the settings of a project', () => {
  it('come from the command line, the environment, env files, config.toml and defaults, in this order', async () => {
    await write({
      [CONFIG]: '[auth]\njwt_expiry = 1\nminimum_password_length = 7\nrefresh_token_reuse_interval = 5\n',
      'supabase/.env': 'GOTRUE_JWT_EXP=2\nGOTRUE_PASSWORD_MIN_LENGTH=8\n',
      '.env': 'GOTRUE_JWT_EXP=3\n',
    });
    vi.stubEnv('GOTRUE_JWT_EXP', '4');
    const flags = { LOG_LEVEL: 'error' };
    vi.stubEnv('LOG_LEVEL', 'debug');
    const { source, values } = await readSettings({ project: folder, flags });
    const origins = Object.fromEntries(Array.from(values, ([name, { origin }]) => [name, origin]));
    expect(source).toMatchObject({
      LOG_LEVEL: 'error',
      GOTRUE_JWT_EXP: '4',
      GOTRUE_PASSWORD_MIN_LENGTH: '8',
      GOTRUE_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL: '5',
      PGRST_DB_MAX_ROWS: '1000',
    });
    expect(origins).toMatchObject({
      LOG_LEVEL: 'command line',
      GOTRUE_JWT_EXP: 'environment',
      GOTRUE_PASSWORD_MIN_LENGTH: 'supabase/.env',
      GOTRUE_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL: 'supabase/config.toml:4',
      PGRST_DB_MAX_ROWS: 'default of supabase/config.toml',
    });
  });

  it.each([
    [{}, '', 'http://127.0.0.1:3000'],
    [{ GREENROOM_PUBLIC_URL: 'https://example.org' }, '', 'https://example.org'],
    [{ GREENROOM_HTTPS_DOMAINS: 'example.org' }, '', 'https://example.org'],
    [{ SITE_URL: 'https://app.example.org' }, '', 'https://app.example.org'],
    [{ GREENROOM_PUBLIC_URL: '' }, '', 'http://127.0.0.1:3000'],
    [
      { GREENROOM_PUBLIC_URL: 'https://example.org', SITE_URL: 'https://example.org' },
      'site_url = "http://localhost:5173"',
      'http://localhost:5173',
    ],
  ])('with %j and a config.toml with "%s" redirect sign-ins to %s', async (env, line, expected) => {
    await write({ [CONFIG]: `[auth]\n${line}\n` });
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    expect((await readConfig({ project: folder })).siteUrl).toBe(expected);
  });

  it('warn of a setting that an earlier version had', async () => {
    await write({ [CONFIG]: '', 'supabase/.env': 'GREENROOM_HOME=board\n' });
    vi.stubEnv('GREENROOM_HOME', '');
    expect((await readSettings({ project: folder })).warnings).toEqual([
      'supabase/.env: GREENROOM_HOME is no setting any more and has no effect. ' +
        'A file app/routes/_index.tsx of a product replaces the home page; the board is the product in demo/.',
    ]);
  });

  it('are unset by an empty variable only if no later source has a value', async () => {
    await write({ [CONFIG]: 'auth.jwt_expiry = 5' });
    vi.stubEnv('GOTRUE_JWT_EXP', '');
    expect((await readConfig({ project: folder })).auth.jwt.expirySeconds).toBe(5);
  });

  it('do not come from variables of the app of the project', async () => {
    await write({
      [CONFIG]: '[auth.captcha]\nenabled = true\nsecret = "env(CAPTCHA)"\n',
      '.env.local':
        'DATABASE_URL=postgresql://postgres@db.example.org/x\nSUPABASE_URL=https://x.example\nCAPTCHA=abc\n',
    });
    const config = await readConfig({ project: folder });
    expect([config.databaseUrl, config.app.hosted]).toEqual([undefined, undefined]);
    expect(config.auth.captcha?.secret).toBe('abc');
    vi.stubEnv('DATABASE_URL', 'postgresql://postgres@127.0.0.1/x');
    expect((await readConfig({ project: folder })).databaseUrl).toBe('postgresql://postgres@127.0.0.1/x');
  });

  it.each([
    ['one variable', 'DATABASE_URL=postgresql://x', 'DATABASE_URL is not read as a setting', ''],
    [
      'several variables',
      'SUPABASE_URL=https://x.example\nSUPABASE_ANON_KEY=x\nDATABASE_URL=postgresql://x',
      'DATABASE_URL, SUPABASE_URL and SUPABASE_ANON_KEY are not read as settings',
      '',
    ],
    [
      'keys of config.toml for the same purpose',
      'PORT=3000\nSITE_URL=http://localhost:3000',
      'PORT and SITE_URL are not read as settings',
      ' Settings in supabase/config.toml: api.port (instead of PORT), auth.site_url (instead of SITE_URL).',
    ],
  ])('note variables of the app without a warning: %s', async (_case, file, subject, advice) => {
    await write({ [CONFIG]: '', '.env': `${file}\n` });
    const { warnings, notes } = await readSettings({ project: folder });
    expect(warnings).toEqual([]);
    expect(notes).toEqual([
      `.env: ${subject}, because variables that do not begin with GREENROOM_, GOTRUE_ or PGRST_ belong to the app of the project.${advice}`,
    ]);
  });

  it('note no variable of the app that config.toml contains by env(), or that the environment sets', async () => {
    await write({
      [CONFIG]: '[auth]\nsite_url = "env(SITE_URL)"\n',
      'supabase/.env': 'SITE_URL=http://localhost:5173\nSUPABASE_URL=https://x.example\nAPP_NAME=shop\n',
    });
    vi.stubEnv('SUPABASE_URL', 'https://y.example');
    const { values, notes } = await readSettings({ project: folder });
    expect(values.get('GOTRUE_SITE_URL')?.text).toBe('http://localhost:5173');
    expect(notes).toEqual([]);
  });

  it('keep the data of each project in its folder, unless the environment names another folder', async () => {
    await write({ 'supabase/migrations/1_a.sql': '' });
    const settings = await readSettings({ project: folder });
    expect(settings.configFile).toBeUndefined();
    expect(join(process.cwd(), settings.source.GREENROOM_DATA_DIR ?? '')).toBe(join(folder, '.greenroom'));
    vi.stubEnv('GREENROOM_DATA_DIR', '/elsewhere');
    expect((await readConfig({ project: folder })).dataDirectory).toBe('/elsewhere');
  });

  it('take the remote that the command names', async () => {
    const id = 'a'.repeat(20);
    const remote = `[remotes.staging]\nproject_id = "${id}"\n[remotes.staging.auth]\njwt_expiry = 9\n`;
    await write({ [CONFIG]: `[auth]\njwt_expiry = 8\n${remote}` });
    const expiry = async (options: { remote?: string }) =>
      (await readConfig({ project: folder, ...options })).auth.jwt.expirySeconds;
    expect([await expiry({}), await expiry({ remote: 'staging' })]).toEqual([8, 9]);
    vi.stubEnv('SUPABASE_PROJECT_ID', id);
    expect(await expiry({})).toBe(9);
  });

  it('reject a folder that is not a project', async () => {
    await expect(readSettings({ project: folder })).rejects.toThrow(
      `${folder} is not a project: it has neither supabase/config.toml nor supabase/migrations.`,
    );
  });
});

describe('a wrong value', () => {
  it('is reported with file, line, key and allowed values, together with all others', async () => {
    await write({
      [CONFIG]:
        '[auth]\nenable_signup = "no"\njwt_expiry = "soon"\n[storage]\nfile_size_limit = "5 apples"\n',
      '.env': 'GOTRUE_PASSWORD_MIN_LENGTH=1\n',
    });
    vi.stubEnv('LOG_LEVEL', 'loud');
    const lines = await readSettings({ project: folder }).then(
      () => [],
      (error: Error) => error.message.split('\n').toSorted(),
    );
    expect(lines).toEqual([
      '.env: GOTRUE_PASSWORD_MIN_LENGTH="1" is not allowed. Allowed: a whole number from 6 to 72',
      'LOG_LEVEL="loud" is not allowed. Allowed: fatal, error, warn, info, debug, trace, silent',
      'supabase/config.toml:2: auth.enable_signup="no" is not allowed. Allowed: true, false',
      'supabase/config.toml:3: auth.jwt_expiry="soon" is not allowed. Allowed: a whole number from 1 to 315360000',
      'supabase/config.toml:5: storage.file_size_limit="5 apples" is not allowed. Allowed: bytes, or a number with a unit such as 50MiB or 5MB',
    ]);
  });

  it.each([
    [
      '[auth.email.smtp]\nhost = "mail.example.org"',
      'supabase/config.toml:2: auth.email.smtp.admin_email="" is not allowed. Allowed: an email address (auth.email.smtp.host is set)',
    ],
    [
      '[auth.external.google]\nenabled = true\nclient_id = "a"',
      'supabase/config.toml:2: auth.external.google.secret="" is not allowed. Allowed: a secret (auth.external.google.enabled is true)',
    ],
  ])('names the key that %j lacks', async (text, message) => {
    await write({ [CONFIG]: text });
    await expect(readConfig({ project: folder })).rejects.toThrow(message);
  });

  it('is explained in errors of later stages, too', async () => {
    await write({ [CONFIG]: 'auth.jwt_expiry = 5' });
    const settings = await readSettings({ project: folder });
    const start = explained(settings, () => loadConfig({ ...settings.source, GOTRUE_JWT_EXP: 'x' }));
    await expect(start).rejects.toThrow('supabase/config.toml:1: auth.jwt_expiry="5" is not allowed.');
  });
});
