/** Tests lists that are sorted by a date, in a folder that is too large to be read as a whole for each page. */
import { type Database, openDatabase } from '@greenroom/postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StorageServer } from '../testing/storage-server.ts';

interface Page {
  nextCursor?: string;
  folders: { name: string }[];
  objects: { name: string }[];
}

const COUNT = 2400;
/** Dates of several objects are equal, or in one millisecond. */
const FILL = `insert into storage.objects (bucket_id, name, version, created_at, updated_at)
  select 'dates', name, gen_random_uuid(), at, at + n % 7 * interval '1 hour' from (
    select format(case n % 2 when 0 then 'flat/%s' else 'Flat/%s' end, n * 7919 % ${COUNT}) as name, n,
        timestamptz '2026-01-01' + n / 3 * interval '300 microseconds' as at
      from generate_series(0, ${COUNT - 1}) as n
    union all
    select format('others/%s/%s', n % 5, n), n, timestamptz '2026-01-01' + n * interval '1 ms'
      from generate_series(0, ${COUNT - 1}) as n
  ) as objects`;

let server: StorageServer;
/** Logged in as the service is. */
let database: Database;
let user: string;

beforeAll(async () => {
  server = await StorageServer.open();
  database = openDatabase({ url: server.database.storageUrl, max: 1, applicationName: 'test' });
  await server.request('POST /bucket', { body: { name: 'dates' } });
  await server.run(FILL);
  await server.run('analyze storage.objects');
  await server.run(`create policy even on storage.objects for select to authenticated
    using (bucket_id = 'dates' and right(name, 1) in ('0', '2', '4', '6', '8'))`);
  user = await server.token();
});
afterAll(async () => {
  await database.close();
  await server.close();
});

const request = async (path: string, body: object, token?: string) =>
  (await server.request(`POST /object/${path}/dates`, { body, token })).json;

/** Returns the names of objects in an order, those that the user sees or all. */
async function namesBy(order: string, { prefix, token }: { prefix: string; token: string | undefined }) {
  const visible = token === undefined ? 'true' : `right(name, 1) in ('0', '2', '4', '6', '8')`;
  const rows = await server.rows<{ name: string }>(
    `select name from storage.objects where bucket_id = 'dates' and ${visible} and ${prefix} order by ${order}`,
  );
  return rows.map(({ name }) => name);
}

const CASES = ['created_at', 'updated_at'].flatMap((column) =>
  ['asc', 'desc'].flatMap((order) =>
    ['the service', 'a user'].map((caller) => [column, order, caller] as const),
  ),
);

describe('the first version', () => {
  it.each(CASES)('lists a large folder by %s %s in pages for %s', async (column, order, caller) => {
    const token = caller === 'a user' ? user : undefined;
    const found: string[] = [];
    for (let offset = 0, isLast = false; !isLast; offset += 350) {
      const body = { prefix: 'flat', limit: 350, offset, sortBy: { column, order } };
      const page = (await request('list', body, token)) as { name: string }[];
      found.push(...page.map(({ name }) => name));
      isLast = page.length < 350;
    }
    const sorting = `${column} ${order}, name_lower collate "C" ${order}`;
    const expected = await namesBy(sorting, { prefix: `name ilike 'flat/%'`, token });
    expect(found).toEqual(expected.map((name) => name.slice('flat/'.length)));
  });

  it('lists folders that the user sees before files', async () => {
    await server.run(`insert into storage.objects (bucket_id, name, version) values
      ('dates', 'flat/SUB/deep/2', '1'), ('dates', 'flat/hidden/1', '1'), ('dates', 'flat/z/4', '1')`);
    const list = async (order: string, offset: number, token?: string) => {
      const body = { prefix: 'flat', limit: 3, offset, sortBy: { column: 'created_at', order } };
      return ((await request('list', body, token)) as { name: string; id: string | null }[]).map(
        ({ name, id }) => (id === null ? `${name}/` : name),
      );
    };
    const files = { prefix: `name ilike 'flat/%' and name not ilike 'flat/%/%'` };
    const sorting = 'created_at, name_lower collate "C"';
    const [first = '', second = ''] = await namesBy(sorting, { ...files, token: user });
    const [all = ''] = await namesBy(sorting, { ...files, token: undefined });
    const file = (name: string) => name.slice('flat/'.length);
    expect(await list('asc', 0)).toEqual(['hidden/', 'SUB/', 'z/']);
    expect(await list('asc', 2)).toEqual(['z/', file(all), expect.any(String)]);
    expect(await list('asc', 0, user)).toEqual(['SUB/', 'z/', file(first)]);
    expect(await list('desc', 0, user)).toEqual(['z/', 'SUB/', expect.not.stringContaining('/')]);
    expect(await list('asc', 2, user)).toEqual([file(first), file(second), expect.any(String)]);
    await server.run(`set storage.allow_delete_query = 'true';
      delete from storage.objects where bucket_id = 'dates' and name like 'flat/%/%'`);
  });
});

describe('the second version', () => {
  const prefixes = ['', 'flat/'];
  it.each(
    CASES.flatMap((one) =>
      prefixes.flatMap((prefix) => [false, true].map((folders) => [...one, prefix, folders] as const)),
    ),
  )(
    'lists by %s %s in pages for %s, with the prefix "%s" and folders: %s',
    async (column, order, caller, prefix, with_delimiter) => {
      const token = caller === 'a user' ? user : undefined;
      const body = { prefix, limit: 500, with_delimiter, sortBy: { column, order } };
      const found: string[] = [];
      let cursor: string | undefined;
      do {
        const page = (await request('list-v2', { ...body, ...(cursor && { cursor }) }, token)) as Page;
        found.push(...page.objects.map(({ name }) => name));
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      const sorting = `date_trunc('milliseconds', ${column}) ${order}, name collate "C" ${order}`;
      const isBelow = `starts_with(name, '${prefix}') ${with_delimiter && prefix === '' ? `and name not like '%/%'` : ''}`;
      expect(found).toEqual(await namesBy(sorting, { prefix: isBelow, token }));
    },
  );

  it('counts a missing date as 1970', async () => {
    await server.run(`update storage.objects set created_at = null where name in ('flat/14', 'others/3/3')`);
    const first = async (order: string) => {
      const body = { limit: 3, sortBy: { column: 'created_at', order } };
      return ((await request('list-v2', body)) as Page).objects.map(({ name }) => name);
    };
    expect((await first('asc')).slice(0, 2)).toEqual(['flat/14', 'others/3/3']);
    expect(await first('desc')).not.toContain('flat/14');
    await server.run(`update storage.objects set created_at = '2026-01-01' where created_at is null`);
  });
});

describe('a page', () => {
  /** Pages of the database that a statement touches. */
  async function pagesOf(role: string, text: string): Promise<number> {
    const [row] = await database.transaction(async (tx) => {
      await tx.query({ text: `set local role ${role}` });
      // The first statement of a connection also reads catalogs.
      await tx.query({ text });
      return tx.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>({
        text: `explain (analyze, buffers, format json) ${text}`,
      });
    });
    const plan = row?.['QUERY PLAN'][0].Plan ?? {};
    return (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
  }

  beforeAll(async () => {
    await server.run(`insert into storage.objects (bucket_id, name, version, metadata, created_at, updated_at)
      select 'dates', 'many/' || n, gen_random_uuid(), jsonb_build_object('mimetype', repeat('x', 400)), at, at
        from (
          select n, timestamptz '2025-06-01' + n * 7919 % 20000 * interval '1 hour' as at from generate_series(0, 19999) as n
        ) as objects`);
    await server.run('analyze storage.objects');
  });

  it.each(
    ['authenticated', 'service_role'].flatMap((role) =>
      ['created_at', 'updated_at'].flatMap((column) =>
        [
          `storage.search('many/', 'dates', 100, 1, 0, '', '${column}', 'asc')`,
          `storage.search('many/', 'dates', 100, 1, 50, '', '${column}', 'desc')`,
          `storage.list_flat_by_date('dates', '', 100, '', '1970-01-01', true, '${column}')`,
          `storage.list_flat_by_date('dates', 'many/', 100, 'many/9', '2026-06-01T03:00:00Z', true, '${column}')`,
          `storage.list_folder_by_date('dates', 'many/', 100, 'many/9', 'desc', '${column}', '2026-06-01T03:00:00Z')`,
        ].map((call) => [role, call] as const),
      ),
    ),
  )('as %s: %s reads a part of the folder', async (role, call) => {
    const whole = await pagesOf(
      role,
      `select * from storage.search('many/', 'dates', 100, 1, 0, '', 'last_accessed_at', 'asc')`,
    );
    expect(await pagesOf(role, `select * from ${call}`)).toBeLessThan(whole / 2);
  });
});

it('does not show folders of other users to logins of other services', async () => {
  expect(await server.rows(`select storage.subfolders('dates', '') as folders`)).toEqual([{ folders: null }]);
  const names = await database.query({ text: `select storage.subfolders('dates', 'others/') as folders` });
  const folders = ['others/0/', 'others/1/', 'others/2/', 'others/3/', 'others/4/'];
  expect(names).toEqual([{ folders }]);
});
