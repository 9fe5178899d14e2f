/** GET /admin/users, paged by number. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AdminCall, serviceOf } from '../testing/admin.ts';
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts';

/** Users of the audience. */
const USERS = 3000;

let server: AuthServer;
let call: AdminCall;
let ids: string[];
beforeAll(async () => {
  server = await startAuthServer();
  ({ call } = await serviceOf(server));
  const { admin } = server.database;
  // Ten users of each second, a user without a time, and users of another audience and instance.
  await admin.query({
    text: `insert into auth.users (instance_id, id, aud, email, raw_user_meta_data, created_at)
      select case number when 0 then gen_random_uuid() else '00000000-0000-0000-0000-000000000000' end,
        gen_random_uuid(), case number when -1 then 'elsewhere' else 'authenticated' end,
        'user' || number || '@example.org', jsonb_build_object('text', repeat('x', 500)),
        case number when 1 then null else timestamptz '2026-01-01' + interval '1 second' * (number / 10) end
      from generate_series(-1, $1::int) number`,
    values: [USERS],
  });
  await admin.query({ text: 'vacuum analyze auth.users' });
  const rows = await admin.query<{ id: string }>({
    text: `select id from auth.users
      where aud = 'authenticated' and instance_id = '00000000-0000-0000-0000-000000000000'
      order by created_at desc, id desc`,
  });
  ids = rows.map(({ id }) => id);
});
afterAll(() => server.close());

async function walk(query: string): Promise<string[][]> {
  const pages: string[][] = [];
  let path = `/admin/users?page=1&${query}`;
  while (path !== '' && pages.length <= USERS) {
    const { status, json, headers } = await call('GET', path);
    expect(status, JSON.stringify(json)).toBe(200);
    expect(headers.get('x-total-count')).toBe(String(USERS));
    pages.push(json.users.map(({ id }: { id: string }) => id));
    path = /<\/auth\/v1([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? '';
  }
  return pages;
}

describe('by number', () => {
  it.each([7, 50, 1000, 2999, 3000, 5000])(
    'returns each user once and in order, %i at a time',
    async (size) => {
      const pages = await walk(`per_page=${size}`);
      expect(pages.flat()).toEqual(ids);
      expect(pages).toHaveLength(Math.ceil(USERS / size));
      expect((await walk(`per_page=${size}&sort=created_at%20asc`)).flat()).toEqual([...ids].reverse());
    },
  );

  it('returns each user that matches a filter once and in order', async () => {
    expect((await walk('per_page=400&filter=example')).flat()).toEqual(ids);
  });

  it('returns no user after the last page', async () => {
    const { json, headers } = await call('GET', '/admin/users?page=2&per_page=3000');
    expect([json.users, headers.get('x-total-count')]).toEqual([[], String(USERS)]);
  });

  it('counts users and skips pages by index', async () => {
    const scans = async () => {
      const rows = await server.database.admin.query<{ indexrelname: string; idx_scan: string }>({
        text: `select indexrelname, idx_scan from pg_stat_user_indexes where indexrelname like 'users_%_idx'`,
      });
      const scansOf = (name: string) =>
        Number(rows.find(({ indexrelname }) => indexrelname === name)?.idx_scan);
      return [scansOf('users_count_idx'), scansOf('users_list_idx')];
    };
    // A session reports its scans at most once in a second.
    const increased = async () => {
      await call('GET', '/admin/users?page=20');
      return (await scans()).every((count) => count > 0);
    };
    await expect.poll(increased, { timeout: 20_000 }).toBe(true);
  });
});
