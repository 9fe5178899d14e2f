/** The searches of the command palette, on a database. */
import { findUsers, nameSql, relationSql, startSql } from '@greenroom/app/admin-palette';
import { createTestDatabase, type TestDatabase } from '@greenroom/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const ADMIN = idOf(1);
/** A user of another audience, which the administrator does not manage. */
const STRANGER = 'facade00-0000-4000-8000-000000000000';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.run(`
    insert into auth.users (instance_id, id, aud, role, email, phone, raw_user_meta_data, created_at)
      select '00000000-0000-0000-0000-000000000000', ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid,
        'authenticated', 'authenticated', 'user' || n || '@example.org', '4930' || lpad(n::text, 7, '0'),
        jsonb_build_object('full_name', 'Person Number' || n), now() - n * interval '1 second'
      from generate_series(1, 3000) n;
    update auth.users set email = 'ada@example.org', phone = null, raw_user_meta_data = '{"full_name": "Countess Lovelace"}'
      where id = '${idOf(2)}';
    update auth.users set email = 'a100%_@example.org', phone = '4915100', raw_user_meta_data = '{"full_name": "Ada\\\\ 50%"}'
      where id = '${idOf(3)}';
    update auth.users set email = null, phone = '4915199', raw_user_meta_data = '{"tag": "ada"}' where id = '${idOf(4)}';
    insert into auth.users (instance_id, id, aud, email, phone, raw_user_meta_data, created_at)
      values ('00000000-0000-0000-0000-000000000000', '${STRANGER}', 'other', 'ada.stranger@example.org', '4915188',
        '{"full_name": "Ada Stranger"}', now());
    create schema "Odd ""schema";
    create table "Odd ""schema"."Odd ""table" (id int);
    create table notes (id int);
    create table old_notes (id int);
    create table notes_archive (id int);
    create view all_notes as select * from notes;
    create table "100%_safe" (id int);
    create index notes_index on notes (id);
    analyze auth.users;
  `);
});
afterAll(() => database.drop());

type Admin = Parameters<typeof findUsers>[0];

const rows = <Row>(text: string, values: readonly (string | null)[] = []) =>
  database.admin.query<Row>({ text, values: [...values] });
const admin = { actor: { actor_id: ADMIN }, meta: { rows } } as unknown as Admin;

const find = async (q: string, limit = 5) => (await findUsers(admin, q, limit)).users.map(({ id }) => id);

describe('findUsers', () => {
  it.each([
    ['the beginning of an address', 'user2999@', [idOf(2999)]],
    ['an address in capital letters', 'USER2999@EXAMPLE', [idOf(2999)]],
    ['the beginning of an address with special characters', 'a100%', [idOf(3)]],
    ['the beginning of a number', '+49 151', [idOf(3), idOf(4)]],
    ['a whole number', '4915199', [idOf(4)]],
    ['the beginning of an id', idOf(2999).slice(0, -1), Array.from({ length: 5 }, (_, n) => idOf(2990 + n))],
    ['a whole id', idOf(2998), [idOf(2998)]],
    ['the beginning of a name', 'countess', [idOf(2)]],
    ['a later word of a name', 'lovel', [idOf(2)]],
    ['a name with special characters', 'Ada\\ 50%', [idOf(3)]],
    ['the beginning of an address first, then of a name', 'ada', [idOf(2), idOf(3)]],
    ['the middle of an address', 'example', []],
    ['the middle of a word of a name', 'ovelace', []],
    ['the middle of a number', '5199', []],
    ['other metadata', 'tag', []],
    ['a pattern', '%', []],
    ['an id of another audience', STRANGER, []],
    ['an address of another audience', 'ada.stranger', []],
    ['a number of another audience', '4915188', []],
    ['a name of another audience', 'stranger', []],
  ])('finds by %s: %s', async (_name, query, ids) => {
    expect(await find(query)).toEqual(ids);
  });

  it('returns each user once, and no more than the limit', async () => {
    expect(await find('4930000299', 20)).toHaveLength(10);
    expect(await find('4930000299', 3)).toEqual([idOf(2990), idOf(2991), idOf(2992)]);
    expect(await findUsers(admin, 'user299', 20)).toMatchObject({ isPart: false });
    expect(await findUsers(admin, 'user299', 3)).toMatchObject({ isPart: true });
  });

  it('returns the values that the palette shows', async () => {
    const { users } = await findUsers(admin, '49151', 5);
    expect(users).toEqual([
      { id: idOf(3), email: 'a100%_@example.org', phone: '+4915100', name: 'Ada\\ 50%' },
      { id: idOf(4), email: '', phone: '+4915199', name: '' },
    ]);
  });

  it('finds only complete ids on a hosted backend', async () => {
    const user = { id: ADMIN, email: 'ada@example.org', user_metadata: { full_name: 'Ada' } };
    const getUserById = async (id: string) => ({ data: { user: id === ADMIN ? user : null } });
    const service = async () => ({ auth: { admin: { getUserById } } });
    const hosted = { ...admin, meta: undefined, service } as unknown as Admin;
    const found = (q: string) => findUsers(hosted, q, 5);
    const expected = { id: ADMIN, email: 'ada@example.org', phone: '', name: 'Ada' };
    expect(await found(ADMIN)).toEqual({ users: [expected], isPart: false });
    expect(await found(idOf(2))).toEqual({ users: [], isPart: false });
    expect(await found('ada')).toEqual({ users: [], isPart: false });
  });

  it.each([
    ['an address', 'user12', ['users_by_email_idx']],
    ['a number', '49300012', ['users_by_email_idx', 'users_phone_key', 'users_pkey']],
    ['an id', '00000000-0000-4000-8000-0000000012', ['users_by_email_idx', 'users_pkey']],
  ])('reads ranges of indexes only for %s', async (_name, query, indexes) => {
    const plan = await planOf(startSql(query, ADMIN, 5));
    expect(plan).not.toContain('Seq Scan');
    for (const index of indexes)
      expect(plan).toMatch(new RegExp(`using ${index} on users u(?:_\\d)? .*\\n\\s+Index Cond`));
  });

  it('reads names in the order of an index, without sorting', async () => {
    const plan = await planOf(nameSql('ada', ADMIN, 5));
    expect(plan).toMatch(/using (?:users_list_idx|idx_users_created_at_desc) on users u/);
    expect(plan).not.toMatch(/Seq Scan|Sort/);
  });
});

async function planOf({ text, values }: { text: string; values: readonly (string | null)[] }) {
  const lines = await rows<{ 'QUERY PLAN': string }>(`explain ${text}`, values);
  return lines.map((line) => line['QUERY PLAN']).join('\n');
}

describe('relationSql', () => {
  const namesOf = async (q: string, limit = 8) => {
    const { text, values } = relationSql(q, limit);
    const found = await rows<{ schema: string; name: string; kind: string }>(text, values);
    return found.map(({ schema, name, kind }) => `${schema}.${name} ${kind}`);
  };

  it.each([
    [
      'NOTES',
      ['public.notes table', 'public.notes_archive table', 'public.all_notes view', 'public.old_notes table'],
    ],
    ['public.notes', ['public.notes table', 'public.notes_archive table']],
    ['old public', ['public.old_notes table']],
    ['odd "', ['Odd "schema.Odd "table table']],
    ['100%_', ['public.100%_safe table']],
    ['notes_index', []],
    ['pg_class', []],
    ['columns information_schema', []],
  ])('finds relations by %j', async (query, names) => {
    expect(await namesOf(query)).toEqual(names);
  });

  it('returns no more than the limit', async () => {
    expect(await namesOf('notes', 2)).toEqual(['public.notes table', 'public.notes_archive table']);
  });
});
