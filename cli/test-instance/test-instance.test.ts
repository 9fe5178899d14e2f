import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { openDatabase } from '@greenroom/postgres';
import { startTestInstance, type TestInstance } from 'greenroom/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { moveClocks } from './process/database-clock.ts';

const MIGRATION = `
  create table public.notes (
    id bigint generated always as identity primary key,
    owner_id uuid not null default auth.uid(),
    body text,
    created_at timestamptz not null default now()
  );
  alter table public.notes enable row level security;
  create policy "own notes" on public.notes for all to authenticated
    using (owner_id = auth.uid() and created_at > now() - interval '7 days');
  grant select, insert on public.notes to authenticated;
  grant select, insert, delete on public.notes to service_role;
  create table public.nights (at timestamptz not null default now());
  grant select on public.nights to service_role;
  create extension pg_cron;
  select cron.schedule('nightly', '0 3 * * *', 'insert into public.nights default values');
  create function public.refuse_robots(event jsonb) returns jsonb language sql as $$
    select case when event->'user'->>'email' like 'robot@%'
      then '{"error": {"http_code": 403, "message": "no robots"}}'::jsonb else '{}'::jsonb end
  $$;
  grant execute on function public.refuse_robots to supabase_auth_admin;
`;

/** Hooks of production, which is the server at `port`, and one of the database. */
const configFile = (port: number) => `project_id = "shop"
[auth.email.smtp]
enabled = true
host = "smtp.example.org"
port = 587
user = "a"
pass = "b"
admin_email = "shop@example.org"
[auth.hook.custom_access_token]
enabled = true
uri = "http://127.0.0.1:${port}/claims"
secrets = "${HOOK_SECRET}"
[auth.hook.before_user_created]
enabled = true
uri = "pg-functions://postgres/public/refuse_robots"
`;
const HOOK_SECRET = `v1,whsec_${'a'.repeat(32)}`;

let folder: string;
let instance: TestInstance;
/** A server of production, which no test may reach. */
const production = createServer(({ url = '' }, response) => {
  reached.push(url);
  response.writeHead(500).end();
});
const reached: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-product-'));
  await chmod(folder, 0o711);
  await mkdir(join(folder, 'supabase/migrations'), { recursive: true });
  await once(production.listen(0, '127.0.0.1'), 'listening');
  const { port } = production.address() as AddressInfo;
  await writeFile(join(folder, 'supabase/config.toml'), configFile(port));
  await writeFile(join(folder, 'supabase/migrations/20260101000000_notes.sql'), MIGRATION);
  await writeFile(
    join(folder, 'supabase/seed.sql'),
    `insert into public.notes (owner_id, body) values ('${SEED_OWNER}', 'seed');`,
  );
  vi.stubEnv('XDG_CACHE_HOME', join(folder, 'cache'));
  vi.stubEnv('DATABASE_URL', 'postgresql://production.example.org/postgres');
  vi.stubEnv('GREENROOM_HTTPS_DOMAINS', 'production.example.org');
  vi.stubEnv('GOTRUE_HOOK_SEND_EMAIL_ENABLED', 'true');
  vi.stubEnv('GOTRUE_HOOK_SEND_EMAIL_URI', `http://127.0.0.1:${port}/mail`);
  vi.stubEnv('GOTRUE_HOOK_SEND_EMAIL_SECRETS', HOOK_SECRET);
  instance = await startTestInstance({ project: folder });
});

afterAll(async () => {
  await instance.close();
  production.close();
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

const SEED_OWNER = '00000000-0000-4000-8000-000000000001';
const bodies = async () => (await instance.admin.from('notes').select('body')).data;

it('the example of a browser test in the documentation is a test of this repository', async () => {
  const root = join(import.meta.dirname, '../..');
  const document = await readFile(join(root, 'docs/test-your-product.md'), 'utf8');
  const spec = await readFile(join(root, 'e2e/test-your-product.spec.ts'), 'utf8');
  // The page has no comments for tools of the repository.
  const withoutComments = spec.replaceAll(/^\s*(?:\/\/ biome-ignore|\/\*\*).*\n/gm, '');
  expect(document).toContain(`\`\`\`ts\n${withoutComments}\`\`\``);
});

describe('startTestInstance', () => {
  it('starts on a copy with migrations and seeds, and ignores database and domains of the environment', async () => {
    expect(await bodies()).toEqual([{ body: 'seed' }]);
    expect(new URL(instance.databaseUrl).hostname).toBe('127.0.0.1');
    expect(new URL(instance.apiUrl).protocol).toBe('http:');
    expect(await readdir(folder)).not.toContain('.greenroom');
  });

  it('does not wait until writes are on the disk', async () => {
    const database = openDatabase({ url: instance.databaseUrl, max: 1, applicationName: 'test' });
    const settings = await database.query({
      text: `select name, setting from pg_settings
        where name in ('fsync', 'full_page_writes', 'synchronous_commit') order by name`,
    });
    await database.close();
    expect(settings.map(({ setting }) => setting)).toEqual(['off', 'off', 'off']);
  });

  it('signs users in, each under row-level security', async () => {
    const ada = await instance.asUser({ email: 'ada@example.org', metadata: { name: 'Ada' } });
    const grace = await instance.asUser();
    await ada.client.from('notes').insert({ body: 'of Ada' });
    expect((await grace.client.from('notes').select()).data).toEqual([]);
    expect((await ada.client.from('notes').select('body')).data).toEqual([{ body: 'of Ada' }]);
    expect((await ada.client.auth.getUser()).data.user?.user_metadata).toMatchObject({ name: 'Ada' });
    const again = await instance.asUser({ email: 'ada@example.org' });
    expect(again.id).toBe(ada.id);
  });

  it('catches mails, with their links and codes', async () => {
    const email = 'hedy@example.org';
    await instance.supabase.auth.signInWithOtp({ email });
    const { subject, code = '', links } = await instance.mailbox().waitFor(email);
    expect(subject).not.toBe('');
    expect(links[0]).toContain(`${instance.apiUrl}/auth/v1/verify?token=`);
    const { data } = await instance.supabase.auth.verifyOtp({ email, token: code, type: 'email' });
    expect(data.user?.email).toBe(email);
    await instance.supabase.auth.signOut();
    await instance.mailbox().clear();
    expect(await instance.mailbox().list()).toEqual([]);
    const waiting = instance.mailbox().waitFor(email, { timeoutMs: 0 });
    await expect(waiting).rejects.toThrow(`no mail to ${email} was sent. No mail was sent.`);
  });

  it('calls hooks that are functions of the database, and no HTTP endpoints', async () => {
    const { error } = await instance.supabase.auth.signInWithOtp({ email: 'robot@example.org' });
    expect(error?.message).toBe('no robots');
    const email = 'person@example.org';
    await instance.supabase.auth.signInWithOtp({ email });
    await instance.mailbox().waitFor(email);
    await instance.asUser({ email });
    expect(reached).toEqual([]);
  });

  it('moves the time of tokens, codes, now() in SQL and cron jobs', async () => {
    const clock = instance.clock();
    const user = await instance.asUser();
    await user.client.from('notes').insert({ body: 'old' });
    expect((await user.client.from('notes').select()).data).toHaveLength(1);
    const email = 'lise@example.org';
    await instance.supabase.auth.signInWithOtp({ email });
    const { code = '' } = await instance.mailbox().waitFor(email);

    await clock.advance({ days: 8 });
    expect((await user.client.auth.getUser(user.session.access_token)).error?.message).toMatch(/expired/);
    const { error } = await instance.supabase.auth.verifyOtp({ email, token: code, type: 'email' });
    expect(error?.code).toBe('otp_expired');
    const later = await instance.asUser({ email: user.email });
    expect((await later.client.from('notes').select()).data).toEqual([]);

    const night = new Date(Date.UTC(2031, 5, 1, 3, 0, 5));
    await clock.set(night);
    // The test itself may run at three in the morning.
    const nights = () => instance.admin.from('nights').select().gte('at', '2031-06-01T00:00:00Z');
    await expect.poll(async () => (await nights()).data?.length).toBe(1);
    const { data } = await nights().single();
    expect(data.at.slice(0, 16)).toBe('2031-06-01T03:00');
    expect(clock.now().getUTCFullYear()).toBe(2031);
    await clock.reset();
    expect((await instance.asUser({ email: user.email })).session.expires_at).toBeLessThan(
      night.getTime() / 1000,
    );
  });

  it('has moved the time of the database before that of the process, whose cron jobs need it', async () => {
    const database = openDatabase({ url: instance.databaseUrl, max: 1, applicationName: 'test' });
    const year = async () => (await database.query({ text: 'select extract(year from now()) as year' }))[0];
    const [{ data_directory: cluster = '' } = {}] = await database.query({ text: 'show data_directory' });
    const offset = new Date('2031-06-01').getTime() - Date.now();
    const moved = moveClocks(dirname(String(cluster)), offset, () => {
      throw new Error('the process has the old time');
    });
    await expect(moved).rejects.toThrow('the process has the old time');
    expect(await year()).toEqual({ year: '2031' });
    await instance.clock().reset();
    expect(await year()).toEqual({ year: String(new Date().getUTCFullYear()) });
    await database.close();
  });

  it('returns to the prepared state at the same addresses', async () => {
    await instance.clock().advance({ days: 1 });
    await instance.admin.from('notes').insert({ owner_id: SEED_OWNER, body: 'of a test' });
    await instance.reset();
    expect(await bodies()).toEqual([{ body: 'seed' }]);
    expect(Math.abs(instance.clock().now().getTime() - Date.now())).toBeLessThan(1000);
    expect((await instance.asUser({ email: 'ada@example.org' })).email).toBe('ada@example.org');
  });

  it('rejects a wrong setting and a migration that fails with the message of the command line', async () => {
    const wrong = startTestInstance({ project: folder, settings: { GOTRUE_JWT_EXP: 'soon' } });
    await expect(wrong).rejects.toMatchObject({
      reason: 'ConfigError',
      message: expect.stringContaining('GOTRUE_JWT_EXP'),
    });
    const broken = join(folder, 'broken');
    await mkdir(join(broken, 'supabase/migrations'), { recursive: true });
    await writeFile(join(broken, 'supabase/migrations/20260101000000_wrong.sql'), 'create tabel x ();');
    await expect(startTestInstance({ project: broken })).rejects.toThrow('20260101000000_wrong.sql, line 1');
  });

  it('removes its data when the test process is killed', async () => {
    const temporary = await mkdtemp(join(tmpdir(), 'greenroom-killed-'));
    await chmod(temporary, 0o711);
    const program = `
      import { startTestInstance } from 'greenroom/testing';
      console.log((await startTestInstance({ project: ${JSON.stringify(folder)} })).dataFolder);`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      cwd: import.meta.dirname,
      // Node.js would keep compiled code there, also while the instance ends.
      env: { ...process.env, TMPDIR: temporary, NODE_DISABLE_COMPILE_CACHE: '1' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [dataFolder] = await once(createInterface({ input: child.stdout }), 'line');
    expect((await stat(dataFolder)).isDirectory()).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await expect.poll(() => readdir(temporary)).toEqual([]);
    await rm(temporary, { recursive: true });
  });
});
