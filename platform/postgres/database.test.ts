import { createTestDatabase, type TestDatabase } from '@greenroom/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase, type Transaction } from './index.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.admin.query({
    text: 'create table numbers (n int primary key deferrable initially deferred)',
  });
});
afterAll(() => database.drop());

const insert = (n: unknown) => ({
  text: 'insert into numbers values ($1)',
  values: [n],
  name: 'insert_number',
});
const count = async () =>
  (await database.admin.query<{ count: string }>({ text: 'select count(*) from numbers' }))[0]?.count;

describe('batch', () => {
  it('returns the rows of each statement in order', async () => {
    const results = await database.admin.batch([
      { text: 'select $1::int as a', values: [1] },
      { text: 'select 2 as b union all select 3 order by 1' },
      { text: 'select 4 as c where false' },
    ]);
    expect(results).toEqual([[{ a: 1 }], [{ b: 2 }, { b: 3 }], []]);
  });

  it('does not leak settings to later batches', async () => {
    const settings = { text: "select set_config('role', 'anon', true), set_config('app.x', 'y', true)" };
    const [, roles] = await database.admin.batch([settings, { text: 'select current_user as role' }]);
    expect(roles).toEqual([{ role: 'anon' }]);
    expect(await database.admin.query({ text: 'select current_user as role' })).toEqual([
      { role: 'supabase_admin' },
    ]);
  });

  it.each([0, 1, 2])('rolls back everything when statement %i of three fails', async (position) => {
    const statements = [insert(1), insert(2), insert(3)];
    statements[position] = { text: 'select 1 / $1::int', values: [0], name: `divide_${position}` };
    await expect(database.admin.batch(statements)).rejects.toMatchObject({ code: '22012' });
    expect(await count()).toBe('0');
  });

  it('converts parameters by their declared types', async () => {
    const [[row] = []] = await database.admin.batch([
      { text: 'select pg_typeof($1)::text as type, $1 + 1 as sum', values: ['41'], types: [20] },
    ]);
    expect(row).toEqual({ type: 'bigint', sum: '42' });
  });

  it('prepares a named statement again after an error prevented its preparation', async () => {
    const one = openDatabase({ url: database.url, max: 1, applicationName: 'test' });
    const named = { text: 'select $1::text as echo', values: ['x'], name: 'echo_text' };
    await expect(one.batch([{ text: 'select 1/0' }, named])).rejects.toMatchObject({ code: '22012' });
    await expect(one.batch([named, { text: 'select 1/0' }])).rejects.toMatchObject({ code: '22012' });
    expect(await one.query(named)).toEqual([{ echo: 'x' }]);
    expect(await one.query(named)).toEqual([{ echo: 'x' }]);
    await one.close();
  });

  it('prepares no statements if disabled, not even in transactions', async () => {
    let preparesStatements = false;
    const one = openDatabase({
      url: database.url,
      max: 1,
      applicationName: 'test',
      preparesStatements: () => preparesStatements,
    });
    const named = { text: 'select $1::text as echo', values: ['x'], name: 'echo_unnamed' };
    const prepared = async () =>
      (await one.query({ text: 'select name from pg_prepared_statements' })).length;
    for (let i = 0; i < 2; i += 1) expect(await one.query(named)).toEqual([{ echo: 'x' }]);
    expect(await one.transaction((tx) => tx.query(named))).toEqual([{ echo: 'x' }]);
    expect(await prepared()).toBe(0);
    preparesStatements = true;
    expect(await one.transaction((tx) => tx.query(named))).toEqual([{ echo: 'x' }]);
    expect(await prepared()).toBe(3);
    await one.close();
  });

  it('sends nothing if a value cannot be converted, and the connection stays usable', async () => {
    const cyclic: Record<string, unknown> = {};
    cyclic.self = cyclic;
    await expect(database.admin.batch([insert(7), insert(cyclic)])).rejects.toThrow('circular');
    expect(await database.admin.query({ text: 'select 1 as one' })).toEqual([{ one: 1 }]);
  });

  it('rejects one name for two texts', async () => {
    const one = openDatabase({ url: database.url, max: 1, applicationName: 'test' });
    await one.query({ text: 'select 1', name: 'same' });
    await expect(one.query({ text: 'select 2', name: 'same' })).rejects.toThrow(
      'two statements with different texts have the name same',
    );
    await one.close();
  });

  it('rejects when the connection is lost during a batch, and the pool recovers', async () => {
    const victim = openDatabase({ url: database.url, max: 1, applicationName: 'victim' });
    const lost = victim.batch([{ text: 'select pg_sleep(20)' }]);
    const outcome = expect(lost).rejects.toThrow();
    const kill = {
      text: "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'victim'",
    };
    while ((await database.admin.query(kill)).length === 0);
    await outcome;
    expect(await victim.query({ text: 'select 1 as one' })).toEqual([{ one: 1 }]);
    await victim.close();
  });
});

describe('a connection that is lost while it is idle', () => {
  it('fails only the next query of its holder', async () => {
    const victim = openDatabase({ url: database.url, max: 1, applicationName: 'idle victim' });
    const terminate = async (tx: Transaction) => {
      const [row] = await tx.query<{ pid: number }>({ text: 'select pg_backend_pid() as pid' });
      await database.admin.query({ text: 'select pg_terminate_backend($1)', values: [row?.pid] });
      const alive = { text: 'select from pg_stat_activity where pid = $1', values: [row?.pid] };
      while ((await database.admin.query(alive)).length > 0);
      await tx.query({ text: 'select 1' });
    };
    await expect(victim.transaction(terminate)).rejects.toThrow();
    expect(await victim.query({ text: 'select 1 as one' })).toEqual([{ one: 1 }]);
    await victim.close();
  });
});

describe('close', () => {
  it('waits for a running query', async () => {
    const closing = openDatabase({ url: database.url, max: 1, applicationName: 'closing' });
    const running = closing.query({ text: 'select 1 as one from pg_sleep(0.2)' });
    await closing.close();
    expect(await running).toEqual([{ one: 1 }]);
  });

  it('terminates queries and connections that do not end in time', async () => {
    const hanging = openDatabase({ url: database.url, max: 2, applicationName: 'hanging' });
    const query = expect(hanging.query({ text: 'select pg_sleep(1000)' })).rejects.toThrow();
    const blocker = Promise.withResolvers<void>();
    void hanging.transaction(async (tx) => {
      await tx.query({ text: 'select 1' });
      blocker.resolve();
      await new Promise(() => {});
    });
    await blocker.promise;
    await hanging.close();
    await query;
    const connections = {
      text: "select pid from pg_stat_activity where application_name = 'hanging' and state <> 'active'",
    };
    while ((await database.admin.query(connections)).length > 0);
  });
});

describe('transaction', () => {
  it('commits when work returns', async () => {
    await database.admin.transaction(async (tx) => {
      await tx.query(insert(10));
      await tx.query(insert(11));
    });
    expect(await count()).toBe('2');
  });

  it('commits with the last statements, in one flush', async () => {
    const rows = await database.admin.transaction(async (tx) => {
      await tx.query({ text: 'delete from numbers' });
      return tx.commit([{ text: 'insert into numbers values (20) returning n' }]);
    });
    expect(rows).toEqual([[{ n: 20 }]]);
    expect(await count()).toBe('1');
  });

  it('rolls back when work throws, and rejects with the error', async () => {
    const work = database.admin.transaction(async (tx) => {
      await tx.query(insert(30));
      throw new Error('changed my mind');
    });
    await expect(work).rejects.toThrow('changed my mind');
    expect(await count()).toBe('1');
  });

  it('keeps statements that were committed before work throws', async () => {
    const work = database.admin.transaction(async (tx) => {
      await tx.commit([insert(31)]);
      throw new Error('too late');
    });
    await expect(work).rejects.toThrow('too late');
    expect(await count()).toBe('2');
  });

  it('reports a constraint that fails at COMMIT', async () => {
    const work = database.admin.transaction(async (tx) => {
      await tx.query(insert(40));
      await tx.query(insert(40));
    });
    await expect(work).rejects.toMatchObject({ code: '23505' });
    expect(await count()).toBe('2');
  });

  it('reports an error that was caught before the commit', async () => {
    const work = database.admin.transaction(async (tx) => {
      await tx.query({ text: 'select 1/0' }).catch(() => undefined);
      await tx.commit();
    });
    await expect(work).rejects.toThrow('an earlier statement failed');
  });
});
