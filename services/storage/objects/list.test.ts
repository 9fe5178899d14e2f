import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StorageServer } from '../testing/storage-server.ts';

interface Page {
  hasNext: boolean;
  nextCursor?: string;
  nextCursorKey?: string;
  folders: { key?: string; name: string }[];
  objects: { key?: string; name: string }[];
}

const NULLS = { id: null, updated_at: null, created_at: null, last_accessed_at: null, metadata: null };
/** In order of creation. */
const NAMES = ['b.txt', 'A/one.txt', 'a/two.txt', 'c/d/e.txt', 'a%b', 'a_b', 'Z', 'a//x', 'c/a.txt', 'a'];

let server: StorageServer;
const request: StorageServer['request'] = (target, options) => server.request(target, options);

async function insert(bucket: string, names: readonly string[]) {
  for (const [minute, name] of names.entries()) {
    await server.rows(
      `insert into storage.objects (bucket_id, name, version, created_at, updated_at, last_accessed_at)
        values ($1, $2, gen_random_uuid(), $3, $3, $3)`,
      [bucket, name, new Date(Date.UTC(2026, 0, 1, 0, minute))],
    );
  }
}

beforeAll(async () => {
  server = await StorageServer.open();
  for (const name of ['b', 'pages']) await request('POST /bucket', { body: { name } });
  await insert('b', NAMES);
  const pages = ['a', 'a.txt', 'b.txt', 'c.txt'].flatMap((name) => [
    name,
    `f/${name}`,
    `g/${name}`,
    `f.${name}/${name}`,
  ]);
  await insert('pages', pages);
});
afterAll(() => server.close());

async function list(body: object, bucket = 'b', token?: string) {
  const { json } = await request(`POST /object/list/${bucket}`, { body: { prefix: '', ...body }, token });
  return json as { name: string; id: string | null }[];
}

describe('the first version', () => {
  it('lists folders and files', async () => {
    expect(await list({ prefix: 'c' })).toEqual([
      {
        name: 'a.txt',
        id: expect.any(String),
        updated_at: '2026-01-01T00:08:00.000Z',
        created_at: '2026-01-01T00:08:00.000Z',
        last_accessed_at: '2026-01-01T00:08:00.000Z',
        metadata: null,
      },
      { name: 'd', ...NULLS },
    ]);
  });

  const name = (column: string, order = 'asc') => ({ sortBy: { column, order } });

  it.each<[object, string[]]>([
    // Names are compared without case: `A/` and `a/` are one folder.
    [{}, ['a', 'a%b', 'a', 'a_b', 'b.txt', 'c', 'Z']],
    [name('name', 'desc'), ['Z', 'c', 'b.txt', 'a_b', 'a', 'a%b', 'a']],
    [{ limit: 2 }, ['a', 'a%b']],
    [{ limit: 2, offset: 2 }, ['a', 'a_b']],
    [{ offset: 7 }, []],
    [{ ...name('name', 'desc'), limit: 2, offset: 1 }, ['c', 'b.txt']],
    [{ prefix: 'a' }, ['', 'one.txt', 'two.txt']],
    [{ prefix: 'A/' }, ['', 'one.txt', 'two.txt']],
    [{ prefix: 'a/', search: 'T' }, ['two.txt']],
    [{ search: 'a' }, ['a', 'a%b', 'a', 'a_b']],
    [{ search: 'a_' }, ['a_b']],
    [{ search: 'a%' }, ['a%b']],
    [{ search: 'a/o' }, ['A/one.txt']],
    [{ prefix: 'nothing' }, []],
    // Folders come first, and have no dates.
    [name('created_at'), ['a', 'c', 'b.txt', 'a%b', 'a_b', 'Z', 'a']],
    [name('updated_at', 'desc'), ['c', 'a', 'a', 'Z', 'a_b', 'a%b', 'b.txt']],
    [{ ...name('last_accessed_at'), limit: 2, offset: 1 }, ['c', 'b.txt']],
  ])('returns for %j the names %j', async (body, names) => {
    expect((await list(body)).map((entry) => entry.name)).toEqual(names);
  });

  it('is empty for a missing folder', async () => {
    expect(await list({}, 'none')).toEqual([]);
  });

  it.each([
    [{ prefix: undefined }, "body must have required property 'prefix'"],
    [{ limit: 0 }, 'body/limit must be >= 1'],
    [{ limit: 1.5 }, 'body/limit must be integer'],
    [{ offset: -1 }, 'body/offset must be >= 0'],
    [{ sortBy: { column: 'id' } }, 'body/sortBy/column must be equal to one of the allowed values'],
    [{ sortBy: {} }, "body/sortBy must have required property 'column'"],
  ])('rejects %j', async (body, message) => {
    const response = await request('POST /object/list/b', { body: { prefix: '', ...body } });
    expect(response).toMatchObject({
      status: 400,
      json: { error: 'Error', message, code: 'InvalidRequest' },
    });
  });

  it('returns at most 1,500 entries for any limit', async () => {
    expect(await list({ limit: Number.MAX_SAFE_INTEGER })).toHaveLength(7);
    expect(await list({ offset: Number.MAX_SAFE_INTEGER })).toEqual([]);
  });
});

async function listV2(body: object, bucket = 'b'): Promise<Page> {
  const { json } = await request(`POST /object/list-v2/${bucket}`, { body });
  return json as Page;
}

describe('the second version', () => {
  const names = (page: Page) => [page.folders.map(({ name }) => name), page.objects.map(({ name }) => name)];

  it('lists folders and files', async () => {
    expect(await listV2({ prefix: 'c/', with_delimiter: true })).toEqual({
      hasNext: false,
      folders: [{ key: 'd', name: 'c/d/', ...NULLS }],
      objects: [
        {
          key: 'a.txt',
          name: 'c/a.txt',
          id: expect.any(String),
          metadata: null,
          updated_at: '2026-01-01T00:08:00.000Z',
          created_at: '2026-01-01T00:08:00.000Z',
          last_accessed_at: '2026-01-01T00:08:00.000Z',
        },
      ],
    });
    const { objects } = await listV2({ prefix: 'b' });
    expect(Object.keys(objects[0] ?? {})).toEqual([
      'id',
      'name',
      'metadata',
      'updated_at',
      'created_at',
      'last_accessed_at',
    ]);
  });

  it.each<[object, string[], string[]]>([
    [{}, [], ['A/one.txt', 'Z', 'a', 'a%b', 'a//x', 'a/two.txt', 'a_b', 'b.txt', 'c/a.txt', 'c/d/e.txt']],
    [{ prefix: 'a' }, [], ['a', 'a%b', 'a//x', 'a/two.txt', 'a_b']],
    [{ prefix: 'a%' }, [], ['a%b']],
    [{ with_delimiter: true }, ['A/', 'a/', 'c/'], ['Z', 'a', 'a%b', 'a_b', 'b.txt']],
    [{ with_delimiter: true, prefix: 'a/' }, ['a//'], ['a/two.txt']],
    [{ with_delimiter: true, prefix: 'a' }, ['a/'], ['a', 'a%b', 'a_b']],
    [
      { with_delimiter: true, sortBy: { column: 'name', order: 'desc' } },
      ['c/', 'a/', 'A/'],
      ['b.txt', 'a_b', 'a%b', 'a', 'Z'],
    ],
    [{ prefix: 'c', sortBy: { column: 'created_at', order: 'desc' } }, [], ['c/a.txt', 'c/d/e.txt']],
    [
      { with_delimiter: true, sortBy: { column: 'created_at' } },
      ['A/', 'a/', 'c/'],
      ['b.txt', 'a%b', 'a_b', 'Z', 'a'],
    ],
  ])('returns for %j: %j', async (body, folders, objects) => {
    expect(names(await listV2(body))).toEqual([folders, objects]);
  });

  it.each(
    [false, true].flatMap((with_delimiter) =>
      ['name', 'created_at', 'updated_at'].flatMap((column) =>
        ['asc', 'desc'].flatMap((order) =>
          ['', 'f', 'f/'].map((prefix) => ({ with_delimiter, prefix, sortBy: { column, order } })),
        ),
      ),
    ),
  )('returns pages that together are complete: %j', async (body) => {
    const whole = names(await listV2(body, 'pages'));
    for (const limit of [1, 2, 3]) {
      const found: [string[], string[]] = [[], []];
      let cursor: string | undefined;
      do {
        const page: Page = await listV2({ ...body, limit, ...(cursor && { cursor }) }, 'pages');
        expect(page.folders.length + page.objects.length).toBeLessThanOrEqual(limit);
        found[0].push(...page.folders.map(({ name }) => name));
        found[1].push(...page.objects.map(({ name }) => name));
        expect(page.hasNext).toBe(page.nextCursor !== undefined);
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      expect(found).toEqual(whole);
    }
  });

  it('keeps the order of the cursor regardless of later parameters', async () => {
    const first = await listV2({ limit: 1, sortBy: { column: 'created_at', order: 'desc' } });
    expect(first).toMatchObject({ hasNext: true, nextCursorKey: 'a' });
    const lines = Buffer.from(first.nextCursor ?? '', 'base64').toString('utf8');
    expect(lines).toBe('l:a\no:desc\nc:created_at\na:2026-01-01T00:09:00.000Z');
    expect(names(await listV2({ limit: 1, cursor: first.nextCursor, sortBy: { column: 'name' } }))).toEqual([
      [],
      ['c/a.txt'],
    ]);
  });

  it.each(['x', 'l', 'z:1', 'o:up', 'c:id', 'a:never'].map((text) => Buffer.from(text).toString('base64')))(
    'rejects the cursor %s',
    async (cursor) => {
      expect(await request('POST /object/list-v2/b', { body: { cursor } })).toMatchObject({
        status: 400,
        json: { message: 'Invalid Parameter continuation token', code: 'InvalidParameter' },
      });
    },
  );
});

describe('policies', () => {
  it('hide objects, and folders without a visible object', async () => {
    await server.run(`create policy few on storage.objects for select to authenticated
      using (name in ('a/two.txt', 'c/d/e.txt', 'b.txt'))`);
    const token = await server.token();
    expect((await list({}, 'b', token)).map(({ name }) => name)).toEqual(['a', 'b.txt', 'c']);
    const { json } = await request('POST /object/list-v2/b', { body: { with_delimiter: true }, token });
    const page = json as Page;
    expect([...page.folders, ...page.objects].map(({ name }) => name)).toEqual(['a/', 'c/', 'b.txt']);
    await server.run('drop policy few on storage.objects');
    expect(await list({}, 'b', token)).toEqual([]);
  });
});

describe('lists of many objects', () => {
  const COUNT = 100_000;
  /** Pages per folder: a few rows, and a descent of the index to the next folder. */
  const PAGES_OF_AN_ENTRY = 16;

  beforeAll(async () => {
    await request('POST /bucket', { body: { name: 'many' } });
    await server.rows(`insert into storage.objects (bucket_id, name, version, metadata)
      select 'many', name, gen_random_uuid(), jsonb_build_object('size', 1, 'mimetype', repeat('x', 400)) from (
        select 'folder' || lpad((n / 50000)::text, 2, '0') || '/' || n as name from generate_series(0, ${COUNT - 1}) as n
        union all select 'small' || lpad((n / 20)::text, 4, '0') || '/' || n from generate_series(0, 19999) as n
        union all select 'flat/' || lpad(n::text, 6, '0') from generate_series(0, 19999) as n
      ) as names`);
    await server.rows('analyze storage.objects');
    await server.run(`create policy many on storage.objects for select to authenticated
      using (bucket_id = 'many' and coalesce((metadata ->> 'size')::int, 0) < 10)`);
  });

  /** Returns the pages that a statement touches as its caller, and the pages of temporary files that it writes. */
  async function pagesOf(
    text: string,
    role: string,
    setting = 'select',
  ): Promise<{ touched: number; spilled: number }> {
    const [row] = await server.database.admin.transaction(async (tx) => {
      await tx.query({ text: `set local role ${role}` });
      await tx.query({ text: setting });
      // The first statement of a connection also reads catalogs.
      await tx.query({ text });
      return tx.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>({
        text: `explain (analyze, buffers, format json) ${text}`,
      });
    });
    const plan = row?.['QUERY PLAN'][0].Plan ?? {};
    return {
      touched: (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0),
      spilled: plan['Temp Written Blocks'] ?? 0,
    };
  }

  const V1 = (prefix: string, order = 'asc', limit = 1000) =>
    `select * from storage.search('${prefix}', 'many', ${limit}, 1, 0, '', 'name', '${order}')`;
  const V2 = (prefix: string, order = 'asc', after = '') =>
    `select * from storage.search_v2('${prefix}', 'many', 1000, 1, '${after}', '${order}')`;

  it.each(
    ['authenticated', 'service_role'].flatMap((role) =>
      [
        V1('', 'asc', 3),
        V1('', 'desc', 3),
        V1(''),
        V1('', 'desc'),
        V1('flat/'),
        V1('flat/', 'desc'),
        V1('folder01/'),
        V2('', 'asc'),
        V2('', 'desc'),
        V2('flat/', 'asc', 'flat/010000'),
        V2('folder00/', 'desc'),
      ].map((text) => [role, text] as const),
    ),
  )('as %s: %s reads only the pages that it returns', async (role, text) => {
    const [limit] = /many', (\d+)/.exec(text)?.slice(1) ?? [];
    const entries = Math.min(Number(limit), 1003);
    const { touched } = await pagesOf(text, role);
    expect(touched).toBeLessThan(Math.max(100, entries * PAGES_OF_AN_ENTRY));
  });

  it.each(
    ['authenticated', 'service_role'].flatMap((role) =>
      ['asc', 'desc'].map((order) => [role, order] as const),
    ),
  )(
    'as %s: reads only folders if they fill the page before files by date, in %s order',
    async (role, order) => {
      const text = `select * from storage.search('s', 'many', 100, 1, 0, '', 'created_at', '${order}')`;
      // There are a thousand folders, and only those of the page are expanded.
      const { touched } = await pagesOf(text, role);
      expect(touched).toBeLessThan(1000 * PAGES_OF_AN_ENTRY);
    },
  );

  it.each(['search', 'search_v2'].flatMap((name) => ['asc', 'desc'].map((order) => [name, order] as const)))(
    '%s keeps only the returned files in memory to sort them by a date, in %s order',
    async (name, order) => {
      const more = name === 'search' ? `0, '', 'created_at', '${order}'` : `'', '${order}', 'created_at'`;
      const text = `select * from storage.${name}('flat/', 'many', 100, 1, ${more})`;
      const all = `select * from storage.objects where bucket_id = 'many' and name > 'flat/' and name < 'flat0' order by metadata`;
      const small = `set local work_mem = '1MB'`;
      expect((await pagesOf(all, 'service_role', small)).spilled).toBeGreaterThan(0);
      expect((await pagesOf(text, 'service_role', small)).spilled).toBe(0);
    },
  );

  it('keeps files whose names differ only in case together across steps of the list', async () => {
    await request('POST /bucket', { body: { name: 'cases' } });
    await server.rows(`insert into storage.objects (bucket_id, name, version)
      select 'cases', replace(replace('xy' || lpad(n::text, 4, '0'), 'x', x), 'y', y), gen_random_uuid()
        from generate_series(0, 699) as n, (values ('x'), ('X')) as one (x), (values ('y'), ('Y')) as other (y)`);
    for (const order of ['asc', 'desc']) {
      const found: string[] = [];
      for (const offset of [0, 1500]) {
        const page = await list({ limit: 1500, offset, sortBy: { column: 'name', order } }, 'cases');
        found.push(...page.map((entry) => entry.name));
      }
      expect(new Set(found).size).toBe(2800);
      const lower = found.map((name) => name.toLowerCase());
      expect(lower).toEqual(order === 'asc' ? lower.toSorted() : lower.toSorted().toReversed());
    }
  });
});
