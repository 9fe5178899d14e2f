import { createTestDatabase, type TestDatabase } from '@greenroom/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failedStatementOf, type Notice, openSession } from './index.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe('openSession', () => {
  it('keeps the state of the session between batches, and passes notices on', async () => {
    const notices: Notice[] = [];
    const session = await openSession({
      url: database.url,
      applicationName: 'test',
      onNotice: (notice) => notices.push(notice),
    });
    await session.batch([{ text: `set app.x = 'y'` }]);
    await session.batch([{ text: `do $$ begin raise warning 'careful'; end $$` }]);
    const [rows] = await session.batch([{ text: `select current_setting('app.x') as x` }]);
    await session.close();
    expect([rows, notices]).toEqual([[{ x: 'y' }], [{ severity: 'WARNING', message: 'careful' }]]);
  });
});

describe('failedStatementOf', () => {
  const good = { text: 'select 1' };
  const bad = { text: 'select 1/0' };
  const deferred = [
    { text: 'create table deferred (id int unique deferrable initially deferred)' },
    { text: 'insert into deferred values (1), (1)' },
  ];

  it.each([
    ['the first statement', [bad, good], 0],
    ['a later statement', [good, good, bad, good], 2],
    ['a statement that cannot be parsed', [good, { text: 'selec' }], 1],
    ['the commit', deferred, 2],
  ])('returns the index of %s', async (_, statements, index) => {
    const session = await openSession({ url: database.url, applicationName: 'test' });
    const error = await session.batch(statements).then(
      () => expect.fail('the batch succeeded'),
      (reason: Error) => reason,
    );
    await session.close();
    expect(failedStatementOf(error)).toBe(index);
  });

  it('returns undefined for other errors', () => {
    expect(failedStatementOf(new Error('x'))).toBeUndefined();
  });
});
