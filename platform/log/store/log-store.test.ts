/** The log in files: writing, limits, searching and following it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KEPT_MESSAGE, openLog } from '../index.ts';
import { createLogStore, type FoundLine, type LogFilter, type LogStore, type Position } from './index.ts';

const MB = 1024 * 1024;

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-log-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Returns a line; later numbers have later times. */
function lineOf(number: number, fields: Record<string, unknown> = {}): string {
  const time = new Date(Date.UTC(2026, 0, 1) + number * 1000).toISOString();
  return `${JSON.stringify({ level: 30, time, number, ...fields, msg: 'request' })}\n`;
}

async function openStore(keepBytes = 64 * MB, onError?: (error: Error) => void): Promise<LogStore> {
  const store = createLogStore({ keepBytes, ...(onError && { onError }) });
  await store.open(folder);
  return store;
}

/** Returns the numbers of all matching lines, page by page. */
async function numbersOf(store: LogStore, filter: LogFilter = {}, limit = 100): Promise<unknown[]> {
  const numbers: unknown[] = [];
  let before: Position | undefined;
  do {
    const { lines, next } = await store.search({ filter, before, limit });
    numbers.push(...lines.map(({ fields }) => fields.number));
    before = next;
  } while (before !== undefined);
  return numbers;
}

const range = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('a stored log', () => {
  it('has lines from before it was opened and of several runs, newest first, in files of its owner only', async () => {
    const first = createLogStore({ keepBytes: MB });
    first.write(lineOf(0));
    await first.open(folder);
    first.write(lineOf(1));
    await first.close();
    const second = await openStore(MB);
    second.write(lineOf(2));
    expect(await numbersOf(second)).toEqual([2, 1, 0]);
    await second.close();
    const names = await readdir(folder);
    const modes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).mode & 0o777));
    expect([names.length, ...modes]).toEqual([1, 0o600]);
  });

  it('keeps the newest lines in less than its maximum size, whatever was written', async () => {
    const store = await openStore(MB);
    const lines = 20_000;
    for (const number of range(lines)) store.write(lineOf(number, { text: 'x'.repeat(60) }));
    await store.close();
    const sizes = await Promise.all(
      (await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size),
    );
    const total = sizes.reduce((sum, size) => sum + size, 0);
    expect(total).toBeLessThanOrEqual(MB);
    expect(total).toBeGreaterThan(MB / 2);
    const reopened = await openStore(MB);
    const numbers = await numbersOf(reopened, {}, 500);
    expect(numbers).toEqual(range(numbers.length).map((index) => lines - 1 - index));
    await reopened.close();
  });

  it('drops lines that exceed its memory, and continues with their number', async () => {
    const store = createLogStore({ keepBytes: 64 * MB });
    const lines = 50_000;
    for (const number of range(lines)) store.write(lineOf(number, { text: 'x'.repeat(100) }));
    await store.open(folder);
    const { lines: found } = await store.search({ filter: { level: 'warn' }, limit: 10 });
    const [notice] = found;
    const kept = await numbersOf(store, { level: 'info', text: 'request' }, 500);
    expect(found.length).toBe(1);
    expect(kept.length + Number(notice?.fields.lines)).toBe(lines);
    expect(kept.length).toBeLessThan(lines);
    await store.close();
  });

  it('counts lines that the disk did not take, reports it once, and continues in a new file', async () => {
    const errors: Error[] = [];
    const store = await openStore(MB, (error) => errors.push(error));
    await rm(folder, { recursive: true });
    for (const number of range(3)) {
      store.write(lineOf(number));
      await store.search({ filter: {}, limit: 1 });
    }
    expect(errors.map(({ message }) => message)).toEqual([expect.stringContaining('ENOENT')]);
    await createLogStore({ keepBytes: MB }).open(folder);
    store.write(lineOf(3));
    const { lines } = await store.search({ filter: {}, limit: 10 });
    expect(lines.map(({ fields }) => fields)).toEqual([{ lines: 3 }, { number: 3 }]);
    await store.close();
  });

  it('shortens a line that is too long, and keeps its level and time', async () => {
    const store = await openStore();
    store.write(lineOf(1, { text: 'x'.repeat(MB) }));
    const { lines } = await store.search({ filter: {}, limit: 1 });
    expect(lines[0]).toMatchObject({ level: 'info', timestamp: '2026-01-01T00:00:01.000Z' });
    expect(lines[0]?.line.length).toBeLessThan(20_000);
    await store.close();
  });

  it('is found around parts of lines and foreign text', async () => {
    const store = await openStore();
    store.write(lineOf(0));
    await store.close();
    const [name = ''] = await readdir(folder);
    await appendFile(join(folder, name), 'foreign text\n{"level":30,"time":"2026');
    await writeFile(join(folder, 'other.txt'), 'no segment');
    const reopened = await openStore();
    reopened.write(lineOf(1));
    expect(await numbersOf(reopened)).toEqual([1, 0]);
    await reopened.close();
  });

  it('has no secrets, even those of links that the console shows in development', async () => {
    const store = await openStore();
    const log = openLog({ logLevel: 'silent', logFormat: 'json' }, store);
    log.info({ link: 'http://localhost/verify?token=secret-1' }, KEPT_MESSAGE);
    log.info({ password: 'secret-2' }, 'failed for postgres://a:secret-3@b/c');
    await store.close();
    const [name = ''] = await readdir(folder);
    const text = await readFile(join(folder, name), 'utf8');
    expect(text.match(/\(hidden\)/g)?.length).toBe(3);
    expect(text).not.toContain('secret-');
  });
});

describe('a search', () => {
  const FIELDS = [
    { path: '/auth/v1/user', status: 200, userId: 'ada', reqId: 'r0' },
    { path: '/rest/v1/notes', status: 404, userId: 'bob', reqId: 'r1' },
    { path: '/rest/v1/notes', status: 503, userId: 'ada', reqId: 'r2', level: 50 },
    { postgres: 'Relation "Notes" does not exist', level: 40 },
    { path: '/account', status: 302, reqId: 'r4' },
  ];

  it.each<[string, LogFilter, number[]]>([
    ['a service', { service: 'rest' }, [2, 1]],
    ['a minimum level', { level: 'warn' }, [3, 2]],
    ['a class of statuses', { status: { min: 400, max: 599 } }, [2, 1]],
    ['a user', { user: 'ada' }, [2, 0]],
    ['a request', { request: 'r1' }, [1]],
    ['a text in another case, with quotes', { text: 'relation "notes"' }, [3]],
    ['a range of times', { from: '2026-01-01T00:00:01.000Z', to: '2026-01-01T00:00:03.000Z' }, [2, 1]],
    ['several conditions', { user: 'ada', service: 'rest', status: { min: 503, max: 503 } }, [2]],
    ['nothing', { user: 'carol' }, []],
  ])('for %s returns exactly the lines that match', async (_, filter, expected) => {
    const store = await openStore();
    for (const [number, fields] of FIELDS.entries()) store.write(lineOf(number, fields));
    expect(await numbersOf(store, filter)).toEqual(expected);
    await store.close();
  });

  it('returns every line once through cursors, while others are written', async () => {
    const store = await openStore(MB);
    for (const number of range(5000)) store.write(lineOf(number));
    const found: unknown[] = [];
    let before: Position | undefined;
    do {
      const page = await store.search({ filter: {}, before, limit: 300 });
      found.push(...page.lines.map(({ fields }) => fields.number));
      before = page.next;
      store.write(lineOf(9999));
    } while (before !== undefined);
    expect(found).toEqual(range(5000).reverse());
    await store.close();
  });

  it('ends after its budget without a match, and goes on at its cursor to the end', async () => {
    const store = await openStore();
    store.write(lineOf(-1, { userId: 'ada' }));
    for (const number of range(20_000)) store.write(lineOf(number));
    const options = { filter: { user: 'ada' }, limit: 10, budgetBytes: 100_000 };
    const first = await store.search(options);
    expect([first.lines, first.next, first.searchedTo]).toEqual([
      [],
      expect.anything(),
      expect.stringMatching(/^2026/),
    ]);
    let pages = 1;
    let page = first;
    while (page.next !== undefined) {
      page = await store.search({ ...options, before: page.next });
      pages += 1;
    }
    expect(page.lines.map(({ fields }) => fields.number)).toEqual([-1]);
    expect(pages).toBeGreaterThan(2);
    await store.close();
  });

  it('continues at the oldest line if the segment of its cursor was removed', async () => {
    const store = await openStore(MB);
    for (const number of range(3)) store.write(lineOf(number));
    expect(await store.search({ filter: {}, before: { segment: 0, offset: 100 }, limit: 10 })).toEqual({
      lines: [],
      next: undefined,
      searchedTo: undefined,
    });
    await store.close();
  });
});

it('a subscriber receives new lines with the places at which a search finds them', async () => {
  const store = await openStore();
  store.write(lineOf(0));
  await store.search({ filter: {}, limit: 1 });
  const received: FoundLine[] = [];
  const unsubscribe = store.subscribe((lines) => received.push(...lines));
  for (const number of [1, 2]) store.write(lineOf(number, { text: 'ä' }));
  const { lines } = await store.search({ filter: {}, limit: 2 });
  unsubscribe();
  store.write(lineOf(3));
  await store.close();
  expect(received).toEqual(lines.toReversed());
});

it('a killed process loses no line that is older than a second, and leaves a log that continues', async () => {
  const program = `
    import { createLogStore } from ${JSON.stringify(import.meta.resolve('./index.ts'))};
    const store = createLogStore({ keepBytes: ${MB} });
    const write = (number) => store.write(JSON.stringify({ level: 30, time: new Date().toISOString(), number, msg: 'a' }) + '\\n');
    await store.open(${JSON.stringify(folder)});
    for (let number = 0; number < 1000; number += 1) write(number);
    setTimeout(() => {
      let number = 1000;
      setInterval(() => { for (let count = 0; count < 50; count += 1) write(number++); }, 1);
      process.send('running');
    }, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  await once(child, 'message');
  child.kill('SIGKILL');
  await once(child, 'exit');
  const store = await openStore(MB);
  store.write(lineOf(-1));
  const [newest, ...numbers] = await numbersOf(store, {}, 500);
  expect(newest).toBe(-1);
  expect(numbers.length).toBeGreaterThanOrEqual(1000);
  expect(numbers.toReversed()).toEqual(range(numbers.length));
  await store.close();
});
