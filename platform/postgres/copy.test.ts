import { createTestDatabase, type TestDatabase } from '@greenroom/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CopySession, copyRows, openCopySession } from './copy.ts';

/** More than all buffers between the servers. */
const ROWS = 100_000;
const LARGE = 3_000_000;

let database: TestDatabase;
let source: CopySession;
let target: CopySession;

beforeAll(async () => {
  database = await createTestDatabase();
  [source, target] = await Promise.all([
    openCopySession(database.url, 'test'),
    openCopySession(database.url, 'test'),
  ]);
});
afterAll(async () => {
  await Promise.all([source.close(), target.close()]);
  await database.drop();
});
beforeEach(() =>
  target.batch([
    { text: 'drop table if exists copied' },
    { text: 'create table copied (id int not null, text text)' },
  ]),
);

function copy(query: string, signal?: AbortSignal) {
  return copyRows(
    { session: source, statement: `copy (${query}) to stdout` },
    { session: target, statement: 'copy copied from stdin' },
    signal,
  );
}

describe('copyRows', () => {
  it('copies all rows, and both connections can be used afterwards', async () => {
    expect(await copy(`select n, 'row ' || n from generate_series(1, ${ROWS}) as n`)).toEqual({
      read: ROWS,
      written: ROWS,
    });
    expect(await copy(`select 0, repeat('x', ${LARGE})`)).toEqual({ read: 1, written: 1 });
    const [rows] = await target.batch([
      { text: 'select count(*)::int, max(length(text)) as longest from copied' },
    ]);
    expect(rows).toEqual([{ count: ROWS + 1, longest: LARGE }]);
  });

  it.each([
    ['the source', `select 1 / (${ROWS} - n), 'x' from generate_series(1, ${ROWS}) as n`, 'division by zero'],
    ['the source before the first row', 'select * from missing', 'relation "missing" does not exist'],
    [
      'the target',
      `select nullif(n, ${ROWS})::text, 'x' from generate_series(1, ${ROWS}) as n`,
      'null value in column',
    ],
    [
      'the target at once',
      `select 'x', repeat('x', 100) from generate_series(1, ${ROWS}) as n`,
      'invalid input syntax',
    ],
  ])('rejects with the error of %s, and copies nothing', async (_, query, message) => {
    await expect(copy(query)).rejects.toThrow(message);
    const check = await openCopySession(database.url, 'test');
    const [rows] = await check.batch([{ text: 'select count(*)::int from copied' }]);
    await check.close();
    expect(rows).toEqual([{ count: 0 }]);
  });

  it('rejects when it is aborted, and copies nothing', async () => {
    const controller = new AbortController();
    const copying = copy(
      'select n, pg_sleep(0.01)::text from generate_series(1, 1000000) as n',
      controller.signal,
    );
    controller.abort(new Error('interrupted'));
    await expect(copying).rejects.toThrow('aborted');
    await source.close();
    source = await openCopySession(database.url, 'test');
    const [rows] = await target.batch([{ text: 'select count(*)::int from copied' }]);
    expect(rows).toEqual([{ count: 0 }]);
  });
});
