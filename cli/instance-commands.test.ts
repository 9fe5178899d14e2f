/** Commands that work on a running instance, each in a separate process. */
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse as parseToml } from 'smol-toml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProjectInstance } from './testing/project-instance.ts';

/** Apart, because imports of tests are checked. */
const CLIENT = '"jsr:@supabase/supabase-js@2"';
const USER = '7f2c1e8a-5b0d-4c53-9a3e-0a1f6f2d9b11';

let project: Awaited<ReturnType<typeof createProjectInstance>>;

beforeAll(async () => {
  project = await createProjectInstance({
    'config.toml': 'project_id = "shop"\n',
    'migrations/1_notes.sql': `create table notes (id int primary key, owner uuid, title text);
      alter table notes enable row level security;
      create policy own on notes for select using (auth.uid() = owner);
      grant select on notes to authenticated;`,
    'functions/hello/index.ts': `import { createClient } from ${CLIENT};
      Deno.serve(() => new Response(typeof createClient + ' of ' + Deno.env.get('SUPABASE_URL')));`,
    'functions/hello/deno.json': '{ "imports": {} /* comments are allowed */, }',
    'seed.sql': `insert into notes values (1, '${USER}', 'mine'), (2, gen_random_uuid(), 'other');`,
  });
  await project.start(['--services', 'auth,data,functions,jobs'], {
    env: { GREENROOM_MAILBOX_ENABLED: 'true', GREENROOM_MAILBOX_PORT: '0' },
  });
});
afterAll(() => project[Symbol.asyncDispose]());

const run: typeof project.run = (...args) => project.run(...args);
const status = async () => JSON.parse((await run(['status', '-o', 'json'])).output) as Record<string, string>;

describe('status', () => {
  it('prints the same values as JSON, YAML, TOML, shell assignments and lines', async () => {
    const values = await status();
    expect(Object.keys(values)).toEqual([
      'API_URL',
      'REST_URL',
      'GRAPHQL_URL',
      'STORAGE_S3_URL',
      'FUNCTIONS_URL',
      'DB_URL',
      'STUDIO_URL',
      'MAILPIT_URL',
      'INBUCKET_URL',
      'PUBLISHABLE_KEY',
      'SECRET_KEY',
      'JWT_SECRET',
      'ANON_KEY',
      'SERVICE_ROLE_KEY',
      'S3_PROTOCOL_ACCESS_KEY_ID',
      'S3_PROTOCOL_ACCESS_KEY_SECRET',
      'S3_PROTOCOL_REGION',
      'WEBHOOK_SECRET',
    ]);
    const print = async (format: string) => (await run(['status', '-o', format])).output;
    const fieldsOf = (text: string, pattern: RegExp) =>
      Object.fromEntries(
        [...text.matchAll(pattern)].map(([, name, value = '']) => [name, JSON.parse(value)]),
      );
    expect(fieldsOf(await print('env'), /^(\w+)=(".*")$/gm)).toEqual(values);
    expect(fieldsOf(await print('yaml'), /^(\w+): (".*")$/gm)).toEqual(values);
    expect(parseToml(await print('toml'))).toEqual(values);
    const pretty = [...(await print('pretty')).matchAll(/^ *(\w+): (.*)$/gm)];
    expect(Object.fromEntries(pretty.map(([, name, value]) => [name, value]))).toEqual(values);
    const response = await fetch(`${values.REST_URL}/notes`, {
      headers: { apikey: values.SECRET_KEY ?? '' },
    });
    expect([response.status, values.STUDIO_URL]).toEqual([200, expect.stringMatching(/^http:.*\/admin$/)]);
  });

  it('prints values under other names with --override-name', async () => {
    const names = ['--override-name', 'api.url=NEXT_PUBLIC_URL,auth.anon_key=NEXT_PUBLIC_KEY'];
    const { output } = await run(['status', '-o', 'env', ...names, '--override-name', 'db.url=DATABASE_URL']);
    const { API_URL, ANON_KEY, DB_URL } = await status();
    expect(output.split('\n')).toEqual(
      expect.arrayContaining([
        `NEXT_PUBLIC_URL="${API_URL}"`,
        `NEXT_PUBLIC_KEY="${ANON_KEY}"`,
        `DATABASE_URL="${DB_URL}"`,
      ]),
    );
    expect(output).not.toMatch(/^(API_URL|ANON_KEY|DB_URL)=/m);
  });
});

it('services prints the versions of the program, of PostgreSQL and of each schema', async () => {
  const parts = JSON.parse((await run(['services', '-o', 'json'])).output) as Record<string, string>[];
  const [{ server_version: version } = {}] = await project.query('show server_version');
  expect(parts).toContainEqual({ name: 'postgres', version });
  expect(parts).toContainEqual({ name: 'node', version: process.versions.node });
  const [{ version: schema } = {}] = await project.query(
    "select max(version) as version from greenroom.migrations where service = 'auth'",
  );
  expect(parts).toContainEqual({ name: 'schema of auth', version: schema });
  expect((await run(['services'])).output).toMatch(/^PART +VERSION\ngreenroom +\d/);
});

it('a function of the project is served by the bundled program', async () => {
  const { API_URL: url, FUNCTIONS_URL: functions, ANON_KEY: key } = await status();
  const response = await fetch(`${functions}/hello`, { headers: { authorization: `Bearer ${key}` } });
  expect([response.status, await response.text()]).toEqual([200, `function of ${url}`]);
});

describe('gen bearer-jwt', () => {
  const read = async (token: string) => {
    const { REST_URL, ANON_KEY = '' } = await status();
    const headers = { apikey: ANON_KEY, authorization: `Bearer ${token}` };
    const response = await fetch(`${REST_URL}/notes?select=title`, { headers });
    return [response.status, response.ok ? await response.json() : undefined];
  };
  const claimsOf = (token: string) =>
    JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

  it('prints a token that the instance accepts, with its role, user, lifetime and claims', async () => {
    const user = ['--role', 'authenticated', '--sub', USER];
    const claims = ['--valid-for', '1h30m', '--payload', '{"team":7}'];
    const { output } = await run(['gen', 'bearer-jwt', ...user, ...claims]);
    const token = output.trim();
    expect(await read(token)).toEqual([200, [{ title: 'mine' }]]);
    const { iat, exp, ...others } = claimsOf(token);
    expect([exp - iat, others]).toEqual([5400, { team: 7, role: 'authenticated', sub: USER }]);
    const service = await run(['gen', 'bearer-jwt', '--role', 'service_role']);
    expect(await read(service.output.trim())).toEqual([200, [{ title: 'mine' }, { title: 'other' }]]);
  });

  it('prints a token with a given time of expiry, after which the instance rejects it', async () => {
    const args = ['gen', 'bearer-jwt', '--role', 'authenticated', '--exp'];
    const [valid, expired] = await Promise.all(
      ['2099-01-01T00:00:00Z', '1000000000'].map(async (time) => (await run([...args, time])).output.trim()),
    );
    expect(claimsOf(valid ?? '')).toMatchObject({ exp: 4070908800, is_anonymous: true });
    expect((await read(valid ?? ''))[0]).toBe(200);
    expect((await read(expired ?? ''))[0]).toBe(401);
  });
});

describe('db query', () => {
  it('prints rows as a table, and the command tags of other statements', async () => {
    const sql = 'create temp table t (a int); insert into t values (1), (2); select a, null as b from t';
    expect(await run(['db', 'query', sql])).toEqual({
      code: 0,
      output: 'CREATE TABLE\nINSERT 0 2\n a | b \n---+---\n 1 |\n 2 |\n(2 rows)\n\n',
      errors: '',
    });
  });

  it('prints JSON with all digits, and CSV', async () => {
    const sql = `select 9007199254740993 as big, 0.10::numeric as exact, true as yes, '{"a":[1]}'::jsonb as doc, 'a,"b' as text`;
    const { output } = await run(['db', 'query', sql, '-o', 'json']);
    expect(output.replace(/\s+/g, '')).toBe(
      '[{"big":9007199254740993,"exact":0.10,"yes":true,"doc":{"a":[1]},"text":"a,\\"b"}]',
    );
    const csv = await run(['db', 'query', sql, '--output', 'csv']);
    expect(csv.output).toBe('big,exact,yes,doc,text\n9007199254740993,0.10,t,"{""a"": [1]}","a,""b"\n');
  });

  it('runs a file, the standard input, and SQL on another database', async () => {
    await writeFile(join(project.folder, 'one.sql'), 'select 1 as one;');
    const table = ' one \n-----\n   1\n(1 row)\n\n';
    expect((await run(['db', 'query', '-f', 'one.sql'])).output).toBe(table);
    expect((await run(['db', 'query'], { input: 'select 1 as one' })).output).toBe(table);
    const { DB_URL = '' } = await status();
    const other = new URL(DB_URL);
    other.pathname = '/template1';
    const { output } = await run([
      'db',
      'query',
      'select current_database()',
      '--db-url',
      other.href,
      '-o',
      'csv',
    ]);
    expect(output).toBe('current_database\ntemplate1\n');
  });

  it('refuses to write with --read-only, and keeps nothing of SQL that fails', async () => {
    const insert = "insert into notes values (3, null, 'new');";
    const readOnly = await run(['db', 'query', '--read-only', insert]);
    expect([readOnly.code, readOnly.errors]).toEqual([
      1,
      expect.stringContaining('cannot execute INSERT in a read-only transaction (SQLSTATE 25006)'),
    ]);
    const failed = await run(['db', 'query', `${insert}\nselect *\nfrom nots;`]);
    expect([failed.code, failed.output, failed.errors]).toEqual([
      1,
      '',
      `error: line 3: relation "nots" does not exist (SQLSTATE 42P01)
1 | ${insert}
2 | select *
3 | from nots;
  |      ^
`,
    ]);
    expect(await project.query('select * from notes where id = 3')).toEqual([]);
  });

  it('requires SQL', async () => {
    expect(await run(['db', 'query'])).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/^error: db query requires SQL: greenroom db query "select 1"/),
    });
  });

  it('prints notices as they are raised', async () => {
    const { errors } = await run(['db', 'query', "do $$ begin raise notice 'hello'; end $$"]);
    expect(errors).toBe('NOTICE:  hello\n');
  });
});

it('extensions add makes files of an extension usable, list shows them, and remove removes them', async () => {
  const source = join(project.folder, 'greeting');
  await mkdir(source);
  await writeFile(join(source, 'greeting.control'), "default_version = '1.0'\n");
  await writeFile(
    join(source, 'greeting--1.0.sql'),
    "create function greeting() returns text language sql return 'hello';",
  );
  expect((await run(['extensions', 'add', source])).output).toMatch(/^Added greeting 1\.0\./);
  expect((await run(['extensions', 'list'])).output).toMatch(/^greeting +1\.0 +data folder$/m);
  const sql = 'create extension greeting; select greeting()';
  expect((await run(['db', 'query', sql, '-o', 'csv'])).output).toBe('CREATE EXTENSION\ngreeting\nhello\n');
  await run(['db', 'query', 'drop extension greeting']);
  expect((await run(['extensions', 'remove', 'greeting'])).output).toMatch(/^Removed greeting--1\.0\.sql/);
  expect((await run(['extensions'])).output).not.toContain('greeting');
});

it('admin-link prints another link for the first administrator', async () => {
  const { code, output } = await run(['admin-link']);
  expect([code, output]).toEqual([
    0,
    expect.stringMatching(/^http:\/\/localhost:\d+\/admin\?claim=[\w-]+\n$/),
  ]);
});

describe('webhooks', () => {
  interface Listed {
    id: string;
    state: string;
    payload: string;
    request_ids: string[];
  }
  const list = async (...args: string[]): Promise<Listed[]> =>
    JSON.parse((await run(['webhooks', 'list', '-o', 'json', ...args])).output);
  const idsOf = (listed: readonly Listed[]) => listed.map(({ id }) => id).toSorted();
  const attemptsOf = async () => (await list('--failed')).map((each) => each.request_ids.length);

  // An address that is refused has failed at once; a name that does not exist is tried again.
  beforeAll(async () => {
    await project.query('create table public.hooked (id int)');
    for (const [name, url] of Object.entries({
      refused: 'http://127.0.0.1:1/',
      lost: 'http://lost.invalid/',
    }))
      await project.query(`create trigger ${name} after insert on public.hooked for each row
        execute function supabase_functions.http_request('${url}', 'POST')`);
    await project.query('insert into public.hooked values (1), (2)');
  });

  it('list prints those without success, and with --failed those without a further attempt', async () => {
    await expect.poll(attemptsOf).toEqual([1, 1]);
    const { output } = await run(['webhooks']);
    expect(output).toMatch(/^ID +STATE +TABLE +URL +ATTEMPTS +CREATED +NEXT ATTEMPT +LAST ERROR\n/);
    expect(output.trim().split('\n')).toHaveLength(5);
    expect(output).toContain('127.0.0.1 is not public');
    const failed = await list('--failed');
    expect(failed.map(({ state }) => state)).toEqual(['failed', 'failed']);
    expect(JSON.parse(failed[0]?.payload ?? '')).toMatchObject({ type: 'INSERT', table: 'hooked' });
    for (const id of idsOf(failed)) expect(output).toContain(id);
  });

  it('replay refuses a wrong choice, and sends nothing', async () => {
    const failed = idsOf(await list('--failed'));
    const others = idsOf(await list()).filter((id) => !failed.includes(id));
    const cases: [string[], RegExp][] = [
      [[], /^error: webhooks replay requires either ids or --all\./],
      [['--all', ...failed], /^error: webhooks replay requires either ids or --all\./],
      [['one'], /^error: "one" is no id of a webhook\./],
      [[...failed, ...others], /^error: no failed webhook has the id [-0-9a-f]{36}, [-0-9a-f]{36}\./],
    ];
    for (const [args, message] of cases)
      expect(await run(['webhooks', 'replay', ...args])).toMatchObject({
        code: 1,
        errors: expect.stringMatching(message),
      });
    expect(await attemptsOf()).toEqual([1, 1]);
  });

  it('replay sends failed ones again', async () => {
    const [id = ''] = idsOf(await list('--failed'));
    expect((await run(['webhooks', 'replay', id])).output).toBe('Sending 1 webhook again.\n');
    await expect.poll(async () => (await attemptsOf()).toSorted()).toEqual([1, 2]);
    expect((await run(['webhooks', 'replay', '--all'])).output).toBe('Sending 2 webhooks again.\n');
    await expect.poll(async () => (await attemptsOf()).toSorted()).toEqual([2, 3]);
    await project.query('delete from greenroom.webhook_deliveries');
    expect((await run(['webhooks', 'list'])).output).toBe('No webhooks.\n');
  });
});

it('keys rotate signs with a new key after a restart, and revoke rejects the tokens of the former one', async () => {
  const headerOf = (token: string) =>
    JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString());
  const sign = async () => (await run(['gen', 'bearer-jwt', '--role', 'service_role'])).output.trim();
  const accepts = async (token: string) => {
    const { REST_URL, ANON_KEY = '' } = await status();
    const headers = { apikey: ANON_KEY, authorization: `Bearer ${token}` };
    return (await fetch(`${REST_URL}/notes`, { headers })).status;
  };
  const former = await sign();
  const { kid } = headerOf(former);
  expect((await run(['keys'])).output).toMatch(new RegExp(`^${kid}  ES256  signs`));
  expect((await run(['keys', 'rotate'])).output).toMatch(/^Created the standby key/);
  expect((await run(['keys', 'rotate', '--now'])).output).toMatch(/is the current key\. Restart the server/);
  await project.stop();
  await project.start(['--services', 'auth,data'], {
    env: { GREENROOM_MAILBOX_ENABLED: 'true', GREENROOM_MAILBOX_PORT: '0' },
  });
  const next = await sign();
  expect(headerOf(next).kid).not.toBe(kid);
  expect([await accepts(former), await accepts(next)]).toEqual([200, 200]);
  expect((await run(['keys', 'revoke', kid])).output).toMatch(/^Revoked /);
  expect((await run(['keys', 'list'])).output).not.toContain(kid);
  await project.stop();
  await project.start(['--services', 'auth,data'], {
    env: { GREENROOM_MAILBOX_ENABLED: 'true', GREENROOM_MAILBOX_PORT: '0' },
  });
  expect([await accepts(former), await accepts(next)]).toEqual([401, 200]);
});

it('--debug prints the stack of an error', async () => {
  const args = ['db', 'query', 'select 1', '--db-url', 'postgresql://postgres@127.0.0.1:1/none'];
  expect((await run(args)).errors).toMatch(/^error: .*ECONNREFUSED.*\n$/);
  expect((await run([...args, '--debug'])).errors).toMatch(/ECONNREFUSED[\s\S]*\n {4}at /);
});

it('--workdir and --local name the same instance, and --linked is refused', async () => {
  const args = ['status', '-o', 'json', '--workdir', project.folder];
  const { output } = await run([...args, '--local'], { cwd: tmpdir() });
  expect(JSON.parse(output)).toEqual(await status());
  expect(await run([...args, '--linked'], { cwd: tmpdir() })).toMatchObject({
    code: 1,
    output: '',
    errors: expect.stringMatching(/^error: --linked names a project that is linked to the hosted service/),
  });
});

it('db reset --version applies the migrations up to a version, and migration up --include-all an earlier file', async () => {
  await project.write('migrations/2_b.sql', 'create table b ();');
  await project.write('migrations/4_d.sql', 'create table d ();');
  const { MAILPIT_URL } = await status();
  expect((await run(['db', 'reset', '--version', '2'])).code).toBe(0);
  // The system has assigned the port; a reset closes the server and opens it again.
  expect((await status()).MAILPIT_URL).toBe(MAILPIT_URL);
  expect((await fetch(`${MAILPIT_URL}/health`)).status).toBe(200);
  const tables = async () => {
    const rows = await project.query(
      "select relname from pg_class where relname in ('b', 'c', 'd') order by 1",
    );
    return rows.map(({ relname }) => relname);
  };
  expect(await tables()).toEqual(['b']);
  await run(['migration', 'up']);
  await project.write('migrations/3_c.sql', 'create table c ();');
  expect((await run(['migration', 'up'])).code).toBe(1);
  expect(await tables()).toEqual(['b', 'd']);
  expect((await run(['migration', 'up', '--include-all'])).output).toMatch(/^applying 3_c\.sql$/m);
  expect(await tables()).toEqual(['b', 'c', 'd']);
});

it('build replaces outdated builds, or reports that all are up to date', async () => {
  const { code, output } = await run(['build']);
  expect([code, output]).toEqual([0, expect.stringMatching(/^(building |the build is up to date\n)/)]);
});
