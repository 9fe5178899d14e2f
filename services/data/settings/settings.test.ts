import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ConfigSource, loadSettings, settingsIn } from '@greenroom/config';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dataSettings, loadDataConfig } from './settings.ts';

const SECRET = 'a secret of at least thirty-two bytes';
const KEY = '{"kty":"EC","kid":"a"}';

describe('settings of the data API', () => {
  it('have defaults', () => {
    expect(loadSettings(dataSettings, {})).toEqual({
      schemas: ['public'],
      extraSearchPath: ['public'],
      anonRole: undefined,
      maxRows: undefined,
      preRequest: undefined,
      allowsAggregates: false,
      allowsPlans: false,
      transactionEnd: { rollsBack: false, allowsOverride: false },
      hoistedSettings: [
        'statement_timeout',
        'plan_filter.statement_cost_limit',
        'default_transaction_isolation',
      ],
      pool: {
        maxConnections: 10,
        acquisitionTimeoutMs: 10_000,
        maxLifetimeMs: 1_800_000,
        maxIdleMs: 30_000,
      },
      preparesStatements: true,
      databaseConfig: { isEnabled: true, preConfig: undefined },
      channel: 'pgrst',
      allowsTimezone: true,
      jwt: {
        secret: undefined,
        audience: undefined,
        roleClaimKey: '$.role',
        cacheMaxEntries: 1000,
      },
      appSettings: [],
      openApi: {
        mode: 'follow-privileges',
        rootFunction: undefined,
        proxyUri: undefined,
        isSecurityActive: false,
      },
      corsAllowedOrigins: undefined,
      sendsServerTiming: false,
      traceHeader: undefined,
      errorVerbosity: 'verbose',
      logsQueries: false,
      allowsTargetNames: true,
    });
  });

  it.each<[text: string, value: boolean]>([
    ...['true', 'True', 'TRUE', 't', '1'].map((text): [string, boolean] => [text, true]),
    ...['false', 'False', 'FALSE', 'f', '0'].map((text): [string, boolean] => [text, false]),
  ])('accept the boolean %s', (text, value) => {
    expect(loadDataConfig({ PGRST_DB_PLAN_ENABLED: text })).toMatchObject({ allowsPlans: value });
  });

  it.each<[source: ConfigSource, settings: object]>([
    [{ PGRST_DB_SCHEMAS: ' v1, my schema ,v2' }, { schemas: ['v1', 'my schema', 'v2'] }],
    [{ PGRST_DB_EXTRA_SEARCH_PATH: 'extensions, util' }, { extraSearchPath: ['extensions', 'util'] }],
    [{ PGRST_DB_EXTRA_SEARCH_PATH: '' }, { extraSearchPath: [] }],
    [{ PGRST_DB_EXTRA_SEARCH_PATH: undefined }, { extraSearchPath: ['public'] }],
    [{ PGRST_DB_MAX_ROWS: '0' }, { maxRows: 0 }],
    [{ PGRST_DB_MAX_ROWS: '' }, { maxRows: undefined }],
    // Names that settings had before.
    [{ PGRST_DB_SCHEMA: 'v1' }, { schemas: ['v1'] }],
    [{ PGRST_DB_SCHEMA: 'v1', PGRST_DB_SCHEMAS: 'v2' }, { schemas: ['v2'] }],
    [{ PGRST_MAX_ROWS: '7' }, { maxRows: 7 }],
    [{ PGRST_PRE_REQUEST: 'check' }, { preRequest: { name: 'check' } }],
    [{ PGRST_ROOT_SPEC: 'hello' }, { openApi: { rootFunction: { name: 'hello' } } }],
    [{ PGRST_DB_POOL_TIMEOUT: '5' }, { pool: { maxIdleMs: 5000 } }],
    [{ PGRST_ROLE_CLAIM_KEY: '.who' }, { jwt: { roleClaimKey: '.who' } }],
    [{ PGRST_DB_PRE_REQUEST: 'check' }, { preRequest: { schema: undefined, name: 'check' } }],
    [{ PGRST_DB_PRE_REQUEST: 'auth.check.it' }, { preRequest: { schema: 'auth', name: 'check.it' } }],
    [{ PGRST_DB_ROOT_SPEC: 'hello' }, { openApi: { rootFunction: { name: 'hello' } } }],
    [{ PGRST_DB_TX_END: 'rollback' }, { transactionEnd: { rollsBack: true, allowsOverride: false } }],
    [
      { PGRST_DB_TX_END: 'commit-allow-override' },
      { transactionEnd: { rollsBack: false, allowsOverride: true } },
    ],
    [
      { PGRST_DB_TX_END: 'rollback-allow-override' },
      { transactionEnd: { rollsBack: true, allowsOverride: true } },
    ],
    [{ PGRST_DB_POOL_MAX_LIFETIME: '0' }, { pool: { maxLifetimeMs: 0 } }],
    [{ PGRST_DB_POOL_MAX_IDLETIME: '0' }, { pool: { maxIdleMs: 0 } }],
    [{ PGRST_DB_PREPARED_STATEMENTS: 'false' }, { preparesStatements: false }],
    [{ PGRST_DB_CHANNEL_ENABLED: 'false' }, { channel: undefined }],
    [{ PGRST_JWT_SECRET: SECRET }, { jwt: { secret: { text: SECRET, isBase64: false } } }],
    [
      { PGRST_JWT_SECRET: Buffer.from(SECRET).toString('base64url'), PGRST_JWT_SECRET_IS_BASE64: 'true' },
      { jwt: { secret: { text: Buffer.from(SECRET).toString('base64url'), isBase64: true } } },
    ],
    [{ PGRST_JWT_SECRET: KEY }, { jwt: { secret: { text: KEY, isBase64: false } } }],
    [{ PGRST_JWT_SECRET: `{"keys":[${KEY}]}` }, { jwt: { secret: { text: `{"keys":[${KEY}]}` } } }],
    [{ PGRST_JWT_ROLE_CLAIM_KEY: '.roles[0]' }, { jwt: { roleClaimKey: '.roles[0]' } }],
    [{ PGRST_JWT_AUD: 'urn:me' }, { jwt: { audience: 'urn:me' } }],
    [
      { PGRST_APP_SETTINGS_JWT_EXP: '60', PGRST_APP_SETTINGS_EMPTY: '', PGRST_APP_SETTINGS_a: 'b' },
      {
        appSettings: [
          ['app.settings.JWT_EXP', '60'],
          ['app.settings.a', 'b'],
        ],
      },
    ],
    [
      { PGRST_SERVER_CORS_ALLOWED_ORIGINS: 'https://a.example, capacitor://localhost' },
      { corsAllowedOrigins: ['https://a.example', 'capacitor://localhost'] },
    ],
    [{ PGRST_SERVER_TRACE_HEADER: 'X-Request-Id' }, { traceHeader: 'x-request-id' }],
    [{ PGRST_CLIENT_ERROR_VERBOSITY: 'minimal' }, { errorVerbosity: 'minimal' }],
  ])('are parsed from %j', (env, settings) => {
    expect(loadDataConfig(env)).toMatchObject(settings);
  });

  it.each([
    ['PGRST_DB_SCHEMAS', 'public,pg_catalog', 'names of schemas'],
    ['PGRST_DB_SCHEMAS', 'information_schema', 'names of schemas'],
    ['PGRST_DB_SCHEMAS', ',', 'names of schemas'],
    ['PGRST_DB_ANON_ROLE', 'x'.repeat(64), 'a role of the database'],
    ['PGRST_DB_MAX_ROWS', '-1', 'a whole number from 0'],
    ['PGRST_DB_PRE_REQUEST', '.check', 'the name of a function'],
    ['PGRST_DB_PRE_REQUEST', 'auth.', 'the name of a function'],
    ['PGRST_DB_AGGREGATES_ENABLED', 'yes', 'true, false'],
    ['PGRST_DB_TX_END', 'abort', 'commit, commit-allow-override'],
    ['PGRST_DB_HOISTED_TX_SETTINGS', "a'b", 'names of settings'],
    ['PGRST_DB_POOL', '0', 'a whole number from 1'],
    ['PGRST_DB_POOL_ACQUISITION_TIMEOUT', '1s', 'a whole number from 1'],
    ['PGRST_DB_POOL_MAX_LIFETIME', '3000000', 'a whole number from 0 to 2000000'],
    ['PGRST_DB_POOL_MAX_IDLETIME', '-1', 'a whole number from 0 to 2000000'],
    ['PGRST_JWT_AUD', 'a :b', 'a name or a URI'],
    ['PGRST_JWT_ROLE_CLAIM_KEY', 'role', 'a path such as $.role'],
    ['PGRST_JWT_ROLE_CLAIM_KEY', '$', 'a path such as $.role'],
    ['PGRST_OPENAPI_MODE', 'on', 'follow-privileges, ignore-privileges, disabled'],
    ['PGRST_OPENAPI_SERVER_PROXY_URI', '/rest', 'an http:// or https:// URL'],
    ['PGRST_SERVER_CORS_ALLOWED_ORIGINS', 'example.org', 'origins such as https://example.org'],
    ['PGRST_SERVER_CORS_ALLOWED_ORIGINS', 'https://example.org/a', 'origins such as https://example.org'],
    ['PGRST_SERVER_TRACE_HEADER', 'a b', 'the name of a request header'],
    ['PGRST_CLIENT_ERROR_VERBOSITY', 'loud', 'verbose, minimal'],
  ])('reject %s=%s', (name, value, allowed) => {
    const message = `${name}=${JSON.stringify(value)} is not allowed. Allowed: ${allowed}`;
    expect(() => loadSettings(dataSettings, { [name]: value })).toThrow(message);
  });

  it.each([
    ['short', 'false', 'at least 32 bytes'],
    [`@/etc/${SECRET}`, 'false', '@path of a file with it (reading it failed: ENOENT)'],
    ['@/', 'false', 'reading it failed: EISDIR'],
    ['{"keys":[]}', 'false', 'a JSON Web Key or a set of them'],
    ['{"kid":"a key without what kind it is of"}', 'false', 'a JSON Web Key or a set of them'],
    ['{no json, but long enough to be a secret}', 'false', 'a JSON Web Key or a set of them'],
    ['this is no base64, whatever is said!', 'true', 'base64'],
    ['c2hvcnQ=', 'true', 'at least 32 bytes'],
  ])('reject the secret %s (base64: %s) without exposing it', (value, isBase64, allowed) => {
    const load = () => loadDataConfig({ PGRST_JWT_SECRET: value, PGRST_JWT_SECRET_IS_BASE64: isBase64 });
    expect(load).toThrow('PGRST_JWT_SECRET=(hidden) is not allowed. Allowed: ');
    expect(load).toThrow(allowed);
    expect(load).not.toThrow(value);
  });

  it.each([
    'PGRST_APP_SETTINGS_',
    'PGRST_APP_SETTINGS_1A',
    'PGRST_APP_SETTINGS_A-B',
    'PGRST_APP_SETTINGS_A.',
  ])('reject the name %s without exposing its value', (name) => {
    const load = () => loadDataConfig({ [name]: 'hidden text' });
    expect(load).toThrow(`${name}=(hidden) is not allowed. Allowed: names`);
  });
});

describe('settings in files', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'greenroom-config-'));
  });
  afterAll(() => rm(folder, { recursive: true }));
  const written = async (text: string) => {
    const path = join(folder, 'setting');
    await writeFile(path, text);
    return `@${path}`;
  };

  it.each([
    [SECRET, SECRET],
    [`${SECRET}\n`, SECRET],
    [`${SECRET} \n\n`, `${SECRET} \n`],
    [KEY, KEY],
  ])('may be a secret: %j', async (text, secret) => {
    const { jwt } = loadDataConfig({ PGRST_JWT_SECRET: await written(text) });
    expect(jwt.secret?.text).toBe(secret);
  });

  it('are read again', async () => {
    const source = { PGRST_JWT_SECRET: await written(SECRET) };
    expect(loadDataConfig(source).jwt.secret?.text).toBe(SECRET);
    await written(`${SECRET}, another one`);
    expect(loadDataConfig(source).jwt.secret?.text).toBe(`${SECRET}, another one`);
  });

  it('can only be named in the environment', async () => {
    const file = await written(SECRET);
    expect(() => loadDataConfig({}, { PGRST_JWT_SECRET: file })).toThrow(
      'PGRST_JWT_SECRET=(hidden) is not allowed.',
    );
  });

  it('are all reported if they do not exist', () => {
    const load = () => loadSettings(dataSettings, { DATABASE_URL: '@/a/b', PGRST_JWT_SECRET: '@/c/d' });
    expect(load).toThrow(/^DATABASE_URL=\(hidden\).*\nPGRST_JWT_SECRET=\(hidden\)/);
  });
});

describe('the reference page', async () => {
  const page = await readFile(new URL('../../../docs/reference/data.md', import.meta.url), 'utf8');

  const documented = settingsIn(dataSettings.tree);

  it.each(documented)('has $name with its default', ({ name, details: { default: initial } }) => {
    const row = page.split('\n').find((line) => line.startsWith(`| \`${name}\` |`));
    expect(row?.split('|')[2]?.trim()).toBe(initial ? `\`${initial}\`` : '–');
  });

  it('has no other variables', () => {
    const [table = ''] = page.split('\n## Bodies');
    const rows = [...table.matchAll(/^\| `(PGRST_[A-Z0-9_]+)` \|/gm)].map((row) => row[1]);
    expect(rows.sort()).toEqual(documented.map(({ name }) => name).sort());
  });
});
