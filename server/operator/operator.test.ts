/** The routes for operators of a running instance: who may call them, its log and its history. */
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, freePort, TEST_JWT_SECRET, type TestDatabase } from '@greenroom/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../settings.ts';
import { type Greenroom, startGreenroom } from '../start.ts';

let folder: string;
let database: TestDatabase;
let instance: Greenroom;

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'greenroom-operator-'));
  await chmod(folder, 0o711);
  instance = await start();
});
afterAll(async () => {
  await instance.close();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

async function start(settings: Record<string, string> = {}): Promise<Greenroom> {
  const config = loadConfig({
    PORT: String(await freePort()),
    GREENROOM_DATA_DIR: folder,
    DATABASE_URL: database.url,
    GREENROOM_JWT_SECRET: TEST_JWT_SECRET,
    GREENROOM_META_ALLOWED_ADDRESSES: '127.0.0.1',
    LOG_LEVEL: 'silent',
    ...settings,
  });
  return startGreenroom({ config, pages: 'none' });
}

const keyOf = ({ backend }: Greenroom) => backend?.apiKeys.serviceRole ?? '';

function call(path: string, options: { key?: string | undefined; signal?: AbortSignal } = {}) {
  const { key = keyOf(instance), signal } = options;
  const headers = { ...(key !== '' && { apikey: key }) };
  return fetch(`${instance.url}/operator/v1${path}`, { headers, ...(signal && { signal }) });
}

async function search(query: string) {
  const response = await call(`/logs?${query}`);
  expect(response.status).toBe(200);
  return (await response.json()) as {
    is_kept: boolean;
    lines: { id: string; time: string; service: string; message: string; fields: Record<string, unknown> }[];
    next: string | null;
  };
}

describe.each(['/logs', '/logs/tail', '/history', '/unknown'])('GET /operator/v1%s', (path) => {
  it.each([
    ['no key', '', 401],
    ['a wrong key', 'wrong', 401],
    ['the anon key', undefined, 403],
  ])('refuses %s', async (_, key, status) => {
    const response = await call(path, { key: key ?? instance.backend?.apiKeys.anon });
    expect(response.status).toBe(status);
  });
});

it('refuses the service key from an address that the settings do not allow', async () => {
  await instance.close();
  instance = await start({ GREENROOM_META_ALLOWED_ADDRESSES: '10.0.0.0/8' });
  const response = await call('/logs');
  expect([response.status, (await response.json()).code]).toEqual([403, 'address_not_allowed']);
  await instance.close();
  instance = await start();
});

describe('the log', () => {
  it('has a line for each request, although the console shows none', async () => {
    const { headers } = await fetch(`${instance.url}/rest/v1/unknown_table`, {
      headers: { apikey: keyOf(instance) },
    });
    const { lines, is_kept } = await search(`request=${headers.get('x-request-id')}`);
    expect(is_kept).toBe(true);
    expect(lines).toEqual([
      {
        id: expect.stringMatching(/^\d+-\d+$/),
        time: expect.stringMatching(/Z$/),
        level: 'info',
        service: 'rest',
        message: 'request',
        fields: expect.objectContaining({
          method: 'GET',
          path: '/rest/v1/unknown_table',
          status: 404,
          ms: expect.any(Number),
          client: '127.0.0.1',
          code: 'PGRST205',
        }),
      },
    ]);
  });

  it('is searched by status, service and text, with a cursor to older lines', async () => {
    for (const path of ['/auth/v1/health', '/auth/v1/unknown', '/auth/v1/unknown?2'])
      await (await fetch(instance.url + path, { headers: { apikey: keyOf(instance) } })).text();
    const query = 'service=auth&status=4xx&text=UNKNOWN&limit=1';
    const { lines, next } = await search(query);
    const older = await search(`${query}&before=${next}`);
    const paths = [...lines, ...older.lines].map(({ fields }) => [fields.path, fields.status]);
    expect(paths).toEqual([
      ['/auth/v1/unknown', 404],
      ['/auth/v1/unknown', 404],
    ]);
    expect(lines[0]?.id).not.toBe(older.lines[0]?.id);
  });

  it.each([
    ['status=9xx', 'status'],
    ['level=loud', 'level'],
    ['from=yesterday', 'from'],
    ['before=1', 'before'],
    ['limit=0', 'limit'],
    ['other=1', 'other'],
  ])('refuses the query %s with a message that names the field', async (query, field) => {
    const response = await call(`/logs?${query}`);
    const { code, message } = await response.json();
    expect([response.status, code]).toEqual([400, 'invalid_request']);
    expect(message).toContain(field);
  });

  it('is streamed to a reader with the lines of its filter, and ends with the instance', async () => {
    const response = await call('/logs/tail?service=rest');
    const text = readLines(response);
    expect(await text.next()).toEqual({ ready: true });
    for (const path of ['/auth/v1/health', '/rest/v1/followed'])
      await (await fetch(instance.url + path, { headers: { apikey: keyOf(instance) } })).text();
    expect(await text.next()).toMatchObject({ service: 'rest', fields: { path: '/rest/v1/followed' } });
    await instance.close();
    expect(await text.next()).toBeUndefined();
    instance = await start();
  });

  it('refuses a reader above the maximum number, and accepts one after another has left', async () => {
    const readers = await Promise.all(
      Array.from({ length: 16 }, async () => {
        const controller = new AbortController();
        const response = await call('/logs/tail', { signal: controller.signal });
        return { response, controller };
      }),
    );
    expect(readers.map(({ response }) => response.status)).toEqual(readers.map(() => 200));
    expect((await call('/logs/tail')).status).toBe(429);
    readers[0]?.controller.abort();
    const last = new AbortController();
    let status = 429;
    while (status === 429) ({ status } = await call('/logs/tail', { signal: last.signal }));
    expect(status).toBe(200);
    for (const { controller } of readers) controller.abort();
    last.abort();
  });

  it('survives the end of the instance, and is not kept with the setting 0', async () => {
    const [last] = (await search('limit=1')).lines;
    await instance.close();
    instance = await start();
    expect((await search(`limit=500`)).lines.map(({ id }) => id)).toContain(last?.id);
    await instance.close();
    instance = await start({ GREENROOM_LOG_KEEP_MB: '0' });
    expect(await search('limit=1')).toEqual({ is_kept: false, lines: [], next: null, searched_to: null });
    await instance.close();
    instance = await start();
  });
});

it('the history has the ranges of its settings, and is stored at the end of the instance', async () => {
  const intervals = await Promise.all(
    ['hour', 'day', 'week'].map(
      async (range) => (await (await call(`/history?range=${range}`)).json()).interval,
    ),
  );
  expect(intervals).toEqual([10, 60, 600]);
  expect((await call('/history?range=year')).status).toBe(400);
  expect(await readdir(folder)).toContain('history.json');
});

/** Returns the objects of a response with one per line; undefined at its end. */
function readLines(response: Response) {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  return {
    async next(): Promise<unknown> {
      for (;;) {
        const end = rest.indexOf('\n');
        const line = rest.slice(0, Math.max(0, end));
        if (end !== -1) rest = rest.slice(end + 1);
        if (line !== '') return JSON.parse(line);
        if (end !== -1) continue;
        const read = await reader?.read().catch(() => undefined);
        if (read === undefined || read.done) return undefined;
        rest += read.value;
      }
    },
  };
}
