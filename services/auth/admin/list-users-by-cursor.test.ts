/** GET /admin/users, paged by cursor. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AdminCall, serviceOf } from '../testing/admin.ts';
import { type AuthServer, startAuthServer } from '../testing/auth-server.ts';
import { signUpPerson } from '../testing/people.ts';

const PEOPLE = 7;

let server: AuthServer;
let call: AdminCall;
let ids: string[];
beforeAll(async () => {
  server = await startAuthServer({ GOTRUE_EXPERIMENTAL_CURSOR_PAGINATION_ENABLED: 'true' });
  ({ call } = await serviceOf(server));
  for (let index = 0; index < PEOPLE; index++) await signUpPerson(server, `person${index}@example.org`);
  // Many users with the same microsecond, and two that are one microsecond apart.
  await server.database.admin.query({
    text: `update auth.users set created_at = '2026-01-01T00:00:00.123456Z'::timestamptz
      + (case email when 'person0@example.org' then 1 else 0 end) * interval '1 microsecond'
      where email < 'person5'`,
  });
  const rows = await server.database.admin.query<{ id: string }>({
    text: 'select id from auth.users order by created_at desc, id desc',
  });
  ids = rows.map(({ id }) => id);
});
afterAll(() => server.close());

async function walk(query: string): Promise<string[][]> {
  const pages: string[][] = [];
  let path = `/admin/users?${query}`;
  while (path !== '' && pages.length <= PEOPLE) {
    const { status, json, headers } = await call('GET', path);
    expect(status, JSON.stringify(json)).toBe(200);
    pages.push(json.users.map(({ id }: { id: string }) => id));
    expect(json.pagination.has_more).toBe(json.pagination.next_cursor !== undefined);
    expect(headers.get('x-total-count')).toBeNull();
    path = /<\/auth\/v1([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? '';
    expect(path.includes(json.pagination.next_cursor ?? 'no more')).toBe(path !== '');
  }
  return pages;
}

describe('by cursor', () => {
  it.each([1, 2, 3, 7, 50])('returns each user once and in order, %i at a time', async (limit) => {
    const pages = await walk(`limit=${limit}`);
    expect(pages.flat()).toEqual(ids);
    expect(pages).toHaveLength(Math.ceil(PEOPLE / limit));
  });

  it('returns ascending and filtered pages', async () => {
    expect((await walk('limit=2&sort=created_at%20asc')).flat()).toEqual([...ids].reverse());
    expect((await walk('limit=2&filter=person1')).flat()).toHaveLength(1);
  });

  it('is used for the official client, which sends empty page numbers', async () => {
    const { json } = await call('GET', '/admin/users?page=&per_page=');
    expect(json).toMatchObject({ aud: 'authenticated', pagination: { has_more: false } });
    expect(json.users).toHaveLength(PEOPLE);
  });

  it.each(['limit=0', 'limit=x', 'cursor=x', 'cursor=e30'])('rejects ?%s', async (query) => {
    const { status, json } = await call('GET', `/admin/users?${query}`);
    expect([status, json.error_code]).toEqual([400, 'validation_failed']);
  });

  it('is not used if the request names a page', async () => {
    const { json, headers } = await call('GET', '/admin/users?per_page=2');
    expect(json).not.toHaveProperty('pagination');
    expect(headers.get('x-total-count')).toBe(String(PEOPLE));
  });
});
