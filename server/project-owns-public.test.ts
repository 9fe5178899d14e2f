/** The board and the files of earlier versions become a part of the demo project, or leave their names to others. */
import { readdir, readFile } from 'node:fs/promises';
import { appMigrations } from '@greenroom/app/migrations';
import { createTestDatabase, openClient, type TestDatabase } from '@greenroom/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { setUpDemo } from './testing/demo.ts';

const ADA = '11111111-1111-4111-8111-111111111111';
const NOTE = 'insert into public.notes (owner_id, text) values ($1, $2)';
const FILE = 'insert into storage.objects (bucket_id, name, owner_id) values ($1, $2, $3)';
const LAST_OF_EARLIER_VERSIONS = '0004_application_tokens.sql';

let database: TestDatabase;
afterEach(() => database.drop());

type Row = Record<string, unknown>;

function run(text: string, ...values: unknown[]): Promise<Row[]> {
  return database.admin.query({ text, values });
}

async function applyFiles(isApplied: (name: string) => boolean): Promise<void> {
  for (const name of (await readdir(appMigrations.directory)).sort().filter(isApplied)) {
    await database.run(await readFile(new URL(name, appMigrations.directory), 'utf8'));
  }
}

/** Creates a database with the migrations of earlier versions, and the account of Ada. */
async function earlierDatabase(): Promise<void> {
  database = await createTestDatabase();
  await applyFiles((name) => name <= LAST_OF_EARLIER_VERSIONS);
  await run('insert into auth.users (id) values ($1)', ADA);
}

const upgrade = () => applyFiles((name) => name > LAST_OF_EARLIER_VERSIONS);

/** The names that earlier versions took in every database. */
async function ownNames(): Promise<string[]> {
  const rows = await run(`
    select relname::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
    union all select proname::text from pg_proc where pronamespace = 'public'::regnamespace
    union all select 'bucket ' || id from storage.buckets
    union all select 'policy ' || policyname from pg_policies where policyname like 'people %'
    union all select 'trigger ' || tgname from pg_trigger where tgrelid = 'auth.users'::regclass and tgname like '%person'
    order by 1`);
  return rows.map(({ name }) => String(name));
}

describe('a database of an earlier version without notes and files', () => {
  it('leaves schema public, buckets and policies to the project', async () => {
    await earlierDatabase();
    expect(await ownNames()).toHaveLength(16);
    await upgrade();
    expect(await ownNames()).toEqual([]);
  });

  it('takes the migrations of the demo', async () => {
    await earlierDatabase();
    await upgrade();
    await setUpDemo(database.url);
    expect(await ownNames()).toEqual([
      'bucket files',
      'greenroom_deleted_people',
      'greenroom_note_deleted_person',
      'notes',
      'policy people add files of their own',
      'policy people change files of their own',
      'policy people delete files of their own',
      'policy people delete their own notes',
      'policy people hear the board',
      'policy people see files of their own',
      'policy people speak on the board',
      'policy people write notes of their own',
      'stamp_note',
      'tell_hidden_note',
      'trigger greenroom_note_deleted_person',
    ]);
  });

  it.each([
    ['a view of the board', 'create view public.titles as select text from public.notes'],
    ['a column of the board', 'alter table public.notes add column due date'],
    [
      'a trigger with a function of the board',
      'create table public.tasks (id int); create trigger t before insert on public.tasks for each row execute function public.stamp_note()',
    ],
  ])('keeps %s that the project has added', async (_, sql) => {
    await earlierDatabase();
    await database.run(sql);
    await upgrade();
    expect(await ownNames()).toEqual(expect.arrayContaining(['notes', 'stamp_note']));
    expect(await ownNames()).not.toContain('bucket files');
  });

  it('keeps a bucket whose limits the project has changed', async () => {
    await earlierDatabase();
    await run("update storage.buckets set file_size_limit = 7 where id = 'avatars'");
    await upgrade();
    expect(await run('select id from storage.buckets')).toEqual([{ id: 'avatars' }]);
  });
});

describe('a database of an earlier version with notes or files', () => {
  it('keeps the notes, which the demo takes over as they are', async () => {
    await earlierDatabase();
    await run(NOTE, ADA, 'Kept');
    await run(`alter policy "people hear the board" on realtime.messages using (false)`);
    await upgrade();
    expect(await ownNames()).not.toContain('bucket files');
    const lines = await setUpDemo(database.url);
    expect(lines).toContain('notice: the table public.notes exists and stays as it is');
    expect(await run('select text from public.notes')).toEqual([{ text: 'Kept' }]);
    expect(await run("select qual from pg_policies where policyname = 'people hear the board'")).toEqual([
      { qual: 'false' },
    ]);
    expect(await ownNames()).toContain('bucket files');
  });

  it.each(['files', 'avatars'])('keeps the bucket %s with its policies', async (bucket) => {
    await earlierDatabase();
    await run(FILE, bucket, `${ADA}/a.png`, ADA);
    await upgrade();
    const names = await ownNames();
    expect(names).not.toContain('notes');
    expect(names).toEqual(
      expect.arrayContaining(['bucket avatars', 'bucket files', 'policy people see files of their own']),
    );
    await setUpDemo(database.url);
    expect(await run('select bucket_id from storage.objects')).toEqual([{ bucket_id: bucket }]);
  });

  it('keeps the accounts whose files remain to be removed', async () => {
    await earlierDatabase();
    await run('delete from auth.users');
    await upgrade();
    expect(await run('select id from public.greenroom_deleted_people')).toEqual([{ id: ADA }]);
  });

  it('does not touch a table public.notes that belongs to the project', async () => {
    database = await createTestDatabase();
    await run('create table public.notes (id int primary key)');
    await applyFiles(() => true);
    expect(
      await run("select column_name::text from information_schema.columns where table_name = 'notes'"),
    ).toEqual([{ column_name: 'id' }]);
    await setUpDemo(database.url);
    expect(await run('select from public.notes')).toEqual([]);
  });
});

it('records deleted accounts in a table that no client can read', async () => {
  database = await createTestDatabase();
  await applyFiles(() => true);
  await run('insert into auth.users (id) values ($1)', ADA);
  await run('delete from auth.users');
  expect(await run('select id from greenroom.deleted_accounts')).toEqual([{ id: ADA }]);
  for (const role of ['anon', 'authenticated', 'service_role']) {
    const read = database.admin.batch([
      { text: `set local role ${role}` },
      { text: 'select from greenroom.deleted_accounts' },
    ]);
    await expect(read).rejects.toMatchObject({ code: '42501' });
  }
});

it('lets projects grant rights on all functions of auth, and use none of them for other tables', async () => {
  database = await createTestDatabase();
  await applyFiles(() => true);
  const owner = await openClient(database.ownerUrl);
  try {
    await owner.query('grant all on all routines in schema auth to postgres, service_role');
    await owner.query(`
      create table public.ids (id uuid);
      insert into public.ids values ('${ADA}');
      create trigger t after delete on public.ids
        for each row execute function auth.greenroom_record_deleted_account()`);
    await expect(owner.query('delete from public.ids')).rejects.toMatchObject({ code: '42501' });
  } finally {
    await owner.end();
  }
});

it('has no trigger of its own that the Supabase CLI would compare as a part of the project', async () => {
  database = await createTestDatabase();
  await applyFiles(() => true);
  // The CLI leaves out triggers whose functions are in schemas of the hosted service.
  const compared = await run(`
    select tgname from pg_trigger join pg_proc on pg_proc.oid = tgfoid
    where not tgisinternal and tgrelid::regclass::text ~ '^(auth|storage|realtime)\\.'
      and pronamespace::regnamespace::text not in ('auth', 'storage', 'realtime')`);
  expect(compared).toEqual([]);
});

it('the migrations of the demo can run again without changes', async () => {
  database = await createTestDatabase();
  await setUpDemo(database.url);
  const before = await ownNames();
  await run('delete from supabase_migrations.schema_migrations');
  await setUpDemo(database.url);
  expect(await ownNames()).toEqual(before);
});
