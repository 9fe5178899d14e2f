/** `greenroom doctor` on a project. */
import { chmod, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createProjectInstance } from '../testing/project-instance.ts';

interface PrintedResult {
  check: string;
  state: string;
  message: string;
  remedy?: string;
}

let project: Awaited<ReturnType<typeof createProjectInstance>>;

beforeAll(async () => {
  project = await createProjectInstance({ 'config.toml': '', 'migrations/1_a.sql': 'create table a ();' });
});
afterAll(() => project[Symbol.asyncDispose]());

async function examine(env: Record<string, string> = {}, ...args: string[]) {
  const { code, output } = await project.run(['doctor', '-o', 'json', ...args], { env });
  const results = JSON.parse(output) as PrintedResult[];
  return { code, results, problems: results.filter(({ state }) => state === 'problem') };
}

it('doctor has no finding on a new project, and creates nothing', async () => {
  expect(await examine()).toMatchObject({ code: 0, problems: [] });
  expect(await readdir(project.folder)).toEqual(['supabase']);
});

it('doctor reports a running instance, and the state of its migrations', async () => {
  await project.start();
  expect(await examine()).toMatchObject({ code: 0, problems: [] });
  await project.write('migrations/2_b.sql', 'create table b ();');
  await project.write('migrations/1_a.sql', 'create table a (id int);');
  const { code, output } = await project.run(['doctor']);
  expect([code, output]).toEqual([
    1,
    expect.stringMatching(
      /^!! {2}migrations +migrations not applied: 2\n +→ Apply them: greenroom migration up\n!! {2}migrations +migrations edited after they were applied: 1\n/m,
    ),
  ]);
  expect(output).toMatch(/\n2 findings\n$/);
  expect(output).toMatch(/^ok {2}lock +an instance runs on the folder: pid \d+ at http:/m);
  await project.stop();
});

it('doctor names the setting of each server that does not respond, and what to do', async () => {
  const { code, problems } = await examine({
    GOTRUE_SMTP_HOST: '127.0.0.1',
    GOTRUE_SMTP_PORT: '1',
    GOTRUE_SMTP_ADMIN_EMAIL: 'a@example.com',
    S3_BUCKET: 'files',
    S3_ENDPOINT: 'http://127.0.0.1:1',
    GREENROOM_PUBLIC_URL: 'https://greenroom.invalid',
  });
  expect([code, problems.map(({ check }) => check)]).toEqual([1, ['proxy', 'mail', 'object store']]);
  expect(problems.map(({ remedy }) => remedy)).toEqual([
    expect.stringContaining('GREENROOM_TRUST_PROXY'),
    expect.stringContaining('GOTRUE_SMTP_HOST'),
    expect.stringContaining('S3_ENDPOINT'),
  ]);
});

it('doctor requires no proxy for a server that speaks HTTPS', async () => {
  const { code, problems } = await examine({
    GREENROOM_TLS_ENABLED: 'true',
    GREENROOM_PUBLIC_URL: 'https://greenroom.invalid',
  });
  expect([code, problems]).toEqual([0, []]);
});

it('doctor checks an external database and its Redis', async () => {
  const { problems } = await examine({
    DATABASE_URL: 'postgresql://postgres@127.0.0.1:1/none',
    REDIS_URL: 'redis://127.0.0.1:1',
  });
  expect(problems).toEqual([
    expect.objectContaining({ check: 'database', message: expect.stringContaining('cannot connect') }),
    expect.objectContaining({ check: 'Redis', message: expect.stringContaining('ECONNREFUSED') }),
  ]);
});

it('doctor finds files that others can read, a clock that went back, and a port that another program holds', async () => {
  const holder: Server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => holder.once('listening', resolve));
  const { port } = holder.address() as { port: number };
  const keys = join(project.folder, '.greenroom', 'keys.json');
  const text = await readFile(keys, 'utf8');
  const tomorrow = Math.floor(Date.now() / 1000) + 24 * 3600;
  await writeFile(keys, JSON.stringify({ ...JSON.parse(text), createdAt: tomorrow }));
  await chmod(keys, 0o644);
  try {
    const { problems } = await examine({ PORT: String(port) });
    expect(problems).toEqual([
      expect.objectContaining({ check: 'file modes', remedy: expect.stringContaining(`chmod 600 ${keys}`) }),
      expect.objectContaining({ check: 'clock', remedy: expect.stringContaining('Set the clock') }),
      expect.objectContaining({
        check: 'ports',
        message: expect.stringContaining(`port ${port} is in use by`),
      }),
    ]);
  } finally {
    holder.close();
    await writeFile(keys, text);
    await chmod(keys, 0o600);
  }
});

/** The settings of an instance that is ready for users. */
const READY = {
  GREENROOM_PUBLIC_URL: 'https://example.org',
  GOTRUE_SITE_URL: 'https://example.org',
  GREENROOM_TRUST_PROXY: '127.0.0.1',
  GOTRUE_HOOK_SEND_EMAIL_ENABLED: 'true',
  GOTRUE_HOOK_SEND_EMAIL_URI: 'pg-functions://postgres/public/send_mail',
  GOTRUE_EXTERNAL_PHONE_ENABLED: 'false',
  GOTRUE_MAILER_AUTOCONFIRM: 'false',
  GOTRUE_PASSWORD_MIN_LENGTH: '12',
  GOTRUE_DISABLE_SIGNUP: 'true',
};
/** Checks that depend on the machine of the tests. */
const OF_MACHINE = ['build', 'user', 'disk', 'server memory', 'open files', 'time'];

/** Returns the state of each check for production, except those of the machine. */
async function examineProduction(env: Record<string, string>) {
  const { code, results } = await examine(env, '--production');
  const start = results.findIndex(({ check }) => check === 'address');
  const relevant = results.slice(start).filter(({ check }) => !OF_MACHINE.includes(check));
  const found = relevant.filter(({ state }) => state === 'warning' || state === 'problem');
  return { code, results, found: found.map(({ check, state }) => `${check}: ${state}`), remedies: found };
}

it('doctor --production accepts an instance that is ready, and warns that backups cannot be checked', async () => {
  const { code, results, found } = await examineProduction(READY);
  expect([code, found]).toEqual([0, ['backups: warning']]);
  for (const check of OF_MACHINE) expect(results).toContainEqual(expect.objectContaining({ check }));
});

it.each<[string, Record<string, string>, string]>([
  ['a URL of this machine', { GREENROOM_PUBLIC_URL: '' }, 'address: problem'],
  ['a URL without TLS', { GREENROOM_PUBLIC_URL: 'http://example.org' }, 'address: problem'],
  ['a self-signed certificate', { GREENROOM_TLS_ENABLED: 'true' }, 'address: problem'],
  ['redirects to this machine', { GOTRUE_SITE_URL: 'http://localhost:3000' }, 'redirects: problem'],
  ['unlimited guesses', { GREENROOM_RATE_LIMIT_FAILED_SIGN_INS: '0' }, 'limits: problem'],
  ['sign-ups without a captcha', { GOTRUE_DISABLE_SIGNUP: 'false' }, 'limits: warning'],
  ['mails that are not sent', { GOTRUE_HOOK_SEND_EMAIL_ENABLED: 'false' }, 'mails: problem'],
  ['SMS that are not sent', { GOTRUE_EXTERNAL_PHONE_ENABLED: 'true' }, 'SMS: warning'],
  [
    'fixed codes of phone numbers',
    { GOTRUE_EXTERNAL_PHONE_ENABLED: 'true', GOTRUE_SMS_TEST_OTP: '15550100=123456' },
    'SMS: problem',
  ],
  ['unproven addresses', { GOTRUE_MAILER_AUTOCONFIRM: 'true' }, 'sign-up: warning'],
  ['short passwords', { GOTRUE_PASSWORD_MIN_LENGTH: '6' }, 'sign-up: warning'],
  ['a database without TLS', { DATABASE_URL: 'postgresql://a:b@db.invalid/x' }, 'database TLS: problem'],
  [
    'a database whose name is not checked',
    { DATABASE_URL: 'postgresql://a:b@db.invalid/x?sslmode=require' },
    'database TLS: warning',
  ],
  [
    'objects that other nodes cannot reach',
    { DATABASE_URL: 'postgresql://a:b@db.invalid/x' },
    'nodes: warning',
  ],
])('doctor --production finds %s', async (_, settings, expected) => {
  const { code, found, remedies } = await examineProduction({ ...READY, ...settings });
  expect(found).toContain(expected);
  if (expected.endsWith('problem')) expect(code).toBe(1);
  for (const { remedy } of remedies) expect(remedy).toMatch(/^[A-Z]/);
});

it('doctor --production finds an open mailbox and the public keys of the Supabase CLI', async () => {
  const { found } = await examineProduction({
    GREENROOM_MAILBOX_ENABLED: 'true',
    GREENROOM_CLI_KEYS: 'true',
  });
  expect(found).toEqual(expect.arrayContaining(['public keys: problem', 'mailbox: problem']));
});

it('doctor --production finds secrets in files that others can read, and names the settings', async () => {
  await project.write('.env', 'GREENROOM_JWT_SECRET=a-secret-of-at-least-32-characters-for-a-test\n');
  const file = join(project.folder, 'supabase', '.env');
  await chmod(file, 0o644);
  const { remedies } = await examineProduction(READY);
  expect(remedies).toContainEqual(
    expect.objectContaining({ check: 'secrets', message: expect.stringContaining('GREENROOM_JWT_SECRET') }),
  );
  await chmod(file, 0o600);
  expect((await examineProduction(READY)).found).not.toContain('secrets: problem');
  await rm(file);
});

it('doctor --production finds admins without a second factor', async () => {
  await project.start();
  const admins = async () => {
    const { results } = await examine({}, '--production');
    return results.find(({ check }) => check === 'admins');
  };
  expect(await admins()).toMatchObject({ state: 'warning', message: 'there is no admin' });
  await project.query(
    `insert into auth.users (id, email, raw_app_meta_data) values (gen_random_uuid(), 'ada@example.org', '{"role":"admin"}')`,
  );
  expect(await admins()).toMatchObject({
    state: 'problem',
    message: 'admins without a second factor: 1 of 1',
  });
  await project.query(
    `insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
      select gen_random_uuid(), id, 'totp', 'verified', now(), now() from auth.users`,
  );
  expect(await admins()).toMatchObject({ state: 'ok', message: 'admins with a second factor: 1' });
  await project.stop();
});

it('doctor reports an instance that was killed', async () => {
  await project.write('migrations/1_a.sql', 'create table a ();');
  const server = project.spawn(['start', '--services', 'auth']);
  await server.waitFor(/^ready /m);
  server.child.kill('SIGKILL');
  await new Promise((resolve) => server.child.once('close', resolve));
  const { problems } = await examine();
  expect(problems).toContainEqual(
    expect.objectContaining({ check: 'lock', message: expect.stringContaining('ended without a shutdown') }),
  );
});

it('doctor reports wrong settings and unknown keys with file and line', async () => {
  await project.write('config.toml', '[auth]\njwt_expiry = "x"\n');
  expect(await examine()).toMatchObject({
    code: 1,
    problems: [{ check: 'configuration', message: expect.stringContaining('supabase/config.toml:2') }],
  });
  await project.write('config.toml', '[auth]\nsite_ulr = "x"\n');
  const { problems } = await examine();
  expect(problems).toContainEqual(
    expect.objectContaining({
      check: 'configuration',
      message: expect.stringContaining('Did you mean auth.site_url'),
    }),
  );
});
