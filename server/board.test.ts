/** The board of the demo on a real database: the effects of each policy and trigger. */
import { createTestDatabase, type TestDatabase } from '@greenroom/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setUpDemo } from './testing/demo.ts';

const ADA = '11111111-1111-4111-8111-111111111111';
const BOB = '22222222-2222-4222-8222-222222222222';
const CLAIMS: Record<string, object> = {
  [ADA]: { email: 'ada@example.org', user_metadata: { full_name: ' Ada Lovelace ' } },
  [BOB]: { email: 'bob@example.org', user_metadata: {} },
};
const DENIED = { code: '42501' };

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await setUpDemo(database.url);
  await run('insert into auth.users (id) values ($1), ($2)', ADA, BOB);
});
afterAll(() => database.drop());

type Row = Record<string, unknown>;

function run(text: string, ...values: unknown[]): Promise<Row[]> {
  return database.admin.query({ text, values });
}

/** Runs one statement as a signed-in user, like the data API does. */
async function as(person: string, text: string, ...values: unknown[]): Promise<Row[]> {
  const claims = JSON.stringify({ sub: person, role: 'authenticated', ...CLAIMS[person] });
  const settings = {
    text: "select set_config('role', 'authenticated', true), set_config('request.jwt.claims', $1, true)",
    values: [claims],
  };
  const [, rows = []] = await database.admin.batch([settings, { text, values }]);
  return rows;
}

async function newNote(owner: string, isShared = true): Promise<string> {
  const [row] = await as(
    owner,
    'insert into notes (text, is_shared) values ($1, $2) returning id',
    'A note',
    isShared,
  );
  return String(row?.id);
}

const textOf = async (id: string) => (await run('select text from notes where id = $1', id))[0]?.text;

describe('a new note', () => {
  it('belongs to its author, is shared, and has version 1', async () => {
    const [row] = await as(ADA, "insert into notes (text) values ('Hello') returning *");
    expect(row).toMatchObject({
      owner_id: ADA,
      owner_name: 'Ada Lovelace',
      color: 'yellow',
      is_shared: true,
      version: 1,
    });
  });

  it('has as name of its owner the part of the address before the @', async () => {
    const [row] = await as(BOB, "insert into notes (text) values ('Hello') returning owner_name");
    expect(row?.owner_name).toBe('bob');
  });

  it.each([
    ['owner_id', `'${BOB}'`],
    ['owner_name', "'Bob'"],
    ['version', '7'],
    ['created_at', 'now()'],
    ['updated_at', 'now()'],
  ])('rejects %s from its author', async (column, value) => {
    const insert = `insert into notes (text, ${column}) values ('Hello', ${value})`;
    await expect(as(ADA, insert)).rejects.toMatchObject(DENIED);
    await expect(as(ADA, `update notes set ${column} = ${value}`)).rejects.toMatchObject(DENIED);
  });

  it.each([
    ['an empty text', "insert into notes (text) values ('')"],
    ['2001 characters', "insert into notes (text) values (repeat('ä', 2001))"],
    ['an unknown colour', "insert into notes (text, color) values ('a', 'red')"],
  ])('is rejected with %s', async (_name, insert) => {
    await expect(as(ADA, insert)).rejects.toMatchObject({ code: '23514' });
  });

  it('may have 2000 characters', async () => {
    const rows = await as(ADA, "insert into notes (text) values (repeat('ä', 2000)) returning id");
    expect(rows).toHaveLength(1);
  });
});

describe('reading a note', () => {
  it.each([
    ['the owner of a shared note', ADA, true, 1],
    ['another user of a shared note', BOB, true, 1],
    ['the owner of a private note', ADA, false, 1],
    ['another user of a private note', BOB, false, 0],
  ])('returns $3 rows to %s', async (_name, person, isShared, count) => {
    const id = await newNote(ADA, isShared);
    expect(await as(person, 'select id from notes where id = $1', id)).toHaveLength(count);
  });

  it('is rejected without a session', async () => {
    const statements = [{ text: "select set_config('role', 'anon', true)" }, { text: 'select * from notes' }];
    await expect(database.admin.batch(statements)).rejects.toMatchObject(DENIED);
  });
});

describe('a change of a note', () => {
  it.each([
    ['the owner of a shared note', ADA, true, 'changed'],
    ['another user of a shared note', BOB, true, 'changed'],
    ['the owner of a private note', ADA, false, 'changed'],
    ['another user of a private note', BOB, false, 'A note'],
  ])('by %s results in the text "$3"', async (_name, person, isShared, text) => {
    const id = await newNote(ADA, isShared);
    await as(person, "update notes set text = 'changed', color = 'blue' where id = $1", id);
    expect(await textOf(id)).toBe(text);
  });

  it('of its visibility is permitted only to its owner', async () => {
    const id = await newNote(ADA);
    await expect(as(BOB, 'update notes set is_shared = false where id = $1', id)).rejects.toMatchObject(
      DENIED,
    );
    expect(await as(ADA, 'update notes set is_shared = false where id = $1 returning id', id)).toHaveLength(
      1,
    );
    expect(await as(BOB, 'update notes set is_shared = true where id = $1 returning id', id)).toEqual([]);
    expect(await as(ADA, 'update notes set is_shared = true where id = $1 returning id', id)).toHaveLength(1);
  });

  it('by deletion is permitted only to its owner', async () => {
    const id = await newNote(ADA);
    expect(await as(BOB, 'delete from notes where id = $1 returning id', id)).toEqual([]);
    expect(await as(ADA, 'delete from notes where id = $1 returning id', id)).toHaveLength(1);
  });

  it('of its owner is rejected even for an administrator', async () => {
    const id = await newNote(ADA);
    await expect(run('update notes set owner_id = $1 where id = $2', BOB, id)).rejects.toMatchObject({
      code: '23514',
    });
  });

  it('by the deletion of its owner deletes it', async () => {
    const [{ id: owner } = {}] = await run(
      'insert into auth.users (id) values (gen_random_uuid()) returning id',
    );
    const id = await newNote(String(owner));
    await run('delete from auth.users where id = $1', owner);
    expect(await textOf(id)).toBeUndefined();
  });
});

describe('the version', () => {
  it('increases with every change, so that a change based on an old version is rejected', async () => {
    const id = await newNote(ADA);
    const change = 'update notes set text = $2 where id = $1 and version = $3 returning version';
    expect(await as(BOB, change, id, 'second', 1)).toEqual([{ version: 2 }]);
    expect(await as(ADA, change, id, 'too late', 1)).toEqual([]);
    expect(await as(ADA, change, id, 'third', 2)).toEqual([{ version: 3 }]);
    expect(await textOf(id)).toBe('third');
  });

  it('is independent of the name of the owner, which is unchanged if another user changes the text', async () => {
    const id = await newNote(ADA);
    const [row] = await as(BOB, "update notes set text = 'b' where id = $1 returning owner_name", id);
    expect(row?.owner_name).toBe('Ada Lovelace');
  });
});

describe('notifications', () => {
  const hidden = async (id: string) =>
    (
      await run("select payload, event, private from realtime.messages where payload ->> 'note' = $1", id)
    ).map(({ event, private: isPrivate }) => [event, isPrivate]);

  it('announce a hidden note on the private topic, without its content', async () => {
    const id = await newNote(ADA);
    await as(BOB, "update notes set text = 'b' where id = $1", id);
    expect(await hidden(id)).toEqual([]);
    await as(ADA, 'update notes set is_shared = false where id = $1', id);
    expect(await hidden(id)).toEqual([['hidden', true]]);
    await as(ADA, "update notes set text = 'c' where id = $1", id);
    await as(ADA, 'update notes set is_shared = true where id = $1', id);
    expect(await hidden(id)).toEqual([['hidden', true]]);
  });

  it('contain the changes of the table', async () => {
    const rows = await run("select tablename from pg_publication_tables where pubname = 'supabase_realtime'");
    expect(rows).toEqual([{ tablename: 'notes' }]);
  });
});

describe('the topic', () => {
  const WRITE = 'insert into realtime.messages (topic, extension) values ($1, $2)';

  async function request(role: string, topic: string, extension: string) {
    const settings = {
      text: "select set_config('role', $1, true), set_config('realtime.topic', $2, true)",
      values: [role, topic],
    };
    await run(WRITE, topic, extension);
    const [, seen = []] = await database.admin.batch([
      settings,
      { text: 'select from realtime.messages where extension = $1', values: [extension] },
    ]);
    const written = await database.admin.batch([settings, { text: WRITE, values: [topic, extension] }]).then(
      () => true,
      (error: { code?: string }) => (error.code === DENIED.code ? false : Promise.reject(error)),
    );
    return [seen.length > 0, written];
  }

  it.each([
    ['authenticated', 'board', 'broadcast', true],
    ['authenticated', 'board', 'presence', true],
    ['authenticated', 'elsewhere', 'broadcast', false],
    ['authenticated', 'elsewhere', 'presence', false],
    ['anon', 'board', 'broadcast', false],
    ['anon', 'board', 'presence', false],
  ])('permits the role %s on the topic %s and the extension %s: %s', async (role, topic, extension, may) => {
    expect(await request(role, topic, extension)).toEqual([may, may]);
  });
});
