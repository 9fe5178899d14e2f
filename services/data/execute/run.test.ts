import {
  openDatabase,
  openRawPool,
  type RawClient,
  type RawPool,
  StatementLatency,
} from '@greenroom/postgres';
import { createTestDatabase, type TestDatabase } from '@greenroom/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { failedStage } from './failure.ts';
import { type Outcome, wholeBody } from './outcome.ts';
import { loadRoleSettings } from './role-settings.ts';
import { runTransaction } from './run.ts';
import type { RequestSettings } from './settings.ts';
import type { Transaction } from './transaction.ts';

let database: TestDatabase;
let pool: RawPool;

const schema = `
  create table notes (id int primary key, owner text not null, text text);
  alter table notes enable row level security;
  create policy own on notes using (owner = current_setting('request.jwt.claims')::json ->> 'sub');
  create table unique_later (n int unique deferrable initially deferred);
  create function leak_role() returns text language sql volatile as
    $$ select set_config('role', 'service_role', false) $$;
  create function leak_own_role() returns text language sql volatile as
    $$ select set_config('role', 'authenticated', false) $$;
  create function leak_path() returns text language sql volatile as
    $$ select set_config('search_path', 'pg_temp', false) $$;
  create function leak_other() returns text language sql volatile as
    $$ select set_config('app.tenant', 'leaked', false) || set_config('statement_timeout', '1234567', false) $$;
  create function leak_reported() returns text language sql stable as
    $$ select set_config('DateStyle', 'German', false) $$;
  create function become_free() returns text language plpgsql volatile as
    $$ begin reset role; return current_user; end $$;
  create function drop_plans() returns text language plpgsql volatile as
    $$ begin execute 'deallocate all'; return 'done'; end $$;
  create function steal_plan() returns text language plpgsql volatile as
    $$ begin execute 'prepare g' || (select count(*) + 1 from pg_prepared_statements) || ' as select 666'; return ''; end $$;
  create function refuse() returns void language plpgsql as
    $$ begin raise sqlstate 'PT401' using message = 'go away'; end $$;
  create function greet() returns void language sql as
    $$ select set_config('response.headers', '[{"X-From":"pre"}]', true), set_config('response.status', '201', true) $$;
`;

beforeAll(async () => {
  database = await createTestDatabase();
  for (const text of schema.split(';\n')) if (text.trim()) await database.admin.query({ text });
  pool = openRawPool({ url: database.authenticatorUrl, max: 1, applicationName: 'data' });
});
beforeEach(() => database.admin.query({ text: 'truncate notes, unique_later' }));
afterAll(async () => {
  await pool.close();
  await database.drop();
});

const settings: RequestSettings = {
  searchPath: ['public', 'extensions'],
  role: 'authenticated',
  claims: '{"sub":"ann","role":"authenticated"}',
  method: 'GET',
  path: '/notes',
  headers: '{"accept":"*/*"}',
  cookies: '{}',
};
const GUCS = "current_setting('response.headers', true), current_setting('response.status', true)";
/** A main statement that answers one value as its body. */
const valueStatement = (expression: string) => ({
  text: `select null::bigint, 1::bigint, null::bigint, null::text, ${GUCS}, (${expression})::text`,
  values: [],
});
const plan = (expression: string, more: Partial<Transaction> = {}): Transaction => ({
  settings,
  generation: 1,
  main: valueStatement(expression),
  isReadOnly: true,
  ending: { kind: 'implicit' },
  ...more,
});
const bodyOf = (outcome: Outcome) => outcome.body?.toString();
const evaluate = async (expression: string, more: Partial<Transaction> = {}) =>
  bodyOf(await runTransaction(pool, plan(expression, more)));
const write = (n: number, more: Partial<Transaction> = {}): Transaction => ({
  ...plan(''),
  main: {
    text: `with source as (insert into unique_later values ($1) returning n)
      select null::bigint, count(*), null::bigint, null::text, ${GUCS}, null::text from source`,
    values: [String(n)],
  },
  isReadOnly: false,
  ...more,
});
const stored = async () =>
  (await database.admin.query<{ n: number }>({ text: 'select n from unique_later order by n' })).map(
    ({ n }) => n,
  );

describe('a request', () => {
  it('sets its role and settings only for its transaction', async () => {
    const settingsSeen = `json_build_array(current_user, session_user, current_setting('request.jwt.claims'),
      current_setting('request.method'), current_setting('request.path'), current_setting('request.headers'),
      current_setting('request.cookies'), current_setting('search_path'))`;
    expect(JSON.parse((await evaluate(settingsSeen)) ?? '')).toEqual([
      'authenticated',
      'authenticator',
      settings.claims,
      'GET',
      '/notes',
      settings.headers,
      '{}',
      '"public", "extensions"',
    ]);
    await pool.use(async (client) => {
      const { rows } = await client.query(
        `select current_user as role, current_setting('request.jwt.claims') as claims, current_setting('search_path') as path`,
      );
      expect(rows).toEqual([{ role: 'authenticator', claims: '', path: '"$user", public, extensions' }]);
    });
  });

  it('reads only rows that its policies allow', async () => {
    await database.admin.query({ text: "insert into notes values (1, 'ann', 'mine'), (2, 'bob', 'his')" });
    const texts = 'select json_agg(text) from notes';
    expect(await evaluate(texts)).toBe('["mine"]');
    expect(await evaluate(texts, { settings: { ...settings, claims: '{"sub":"bob"}' } })).toBe('["his"]');
    expect(await evaluate(texts, { settings: { ...settings, role: 'service_role' } })).toBe(
      '["mine", "his"]',
    );
  });

  it('applies settings of its role, its function and the configuration in order', async () => {
    const all = {
      ...settings,
      timezone: 'Asia/Tokyo',
      roleSettings: [
        ['statement_timeout', '4s'],
        ['app.from', 'role'],
      ],
      functionSettings: [['app.from', 'function']],
      appSettings: [['app.settings.x', 'y']],
    } satisfies RequestSettings;
    const seen = `concat_ws(' ', current_setting('statement_timeout'), current_setting('timezone'),
      current_setting('app.from'), current_setting('app.settings.x'))`;
    expect(await evaluate(seen, { settings: all })).toBe('4s Asia/Tokyo function y');
  });

  it('applies more settings than PostgreSQL accepts arguments in one call', async () => {
    const appSettings = Array.from({ length: 250 }, (_, i) => [`app.settings.n${i}`, String(i)] as const);
    const seen = appSettings.map(([name]) => `current_setting('${name}')`).join(` || ' ' || `);
    expect(await evaluate(seen, { settings: { ...settings, appSettings } })).toBe(
      appSettings.map(([, value]) => value).join(' '),
    );
  });

  it('that is read-only cannot write in any way', async () => {
    await expect(runTransaction(pool, write(1, { isReadOnly: true }))).rejects.toMatchObject({
      code: '25006',
    });
    await expect(evaluate("set_config('transaction_read_only', 'off', true)")).rejects.toMatchObject({
      code: '25001',
    });
    expect(await stored()).toEqual([]);
  });

  it('returns each column of the row', async () => {
    const outcome = await runTransaction(pool, {
      ...plan(''),
      main: { text: `select 9, 2, 1, '/notes?id=eq.1', '[]', '299', '\\x00ff'::bytea`, values: [] },
    });
    expect(outcome).toEqual({
      totalCount: 9,
      pageCount: 2,
      insertedCount: 1,
      location: '/notes?id=eq.1',
      responseHeaders: '[]',
      responseStatus: '299',
      body: Buffer.from([0, 255]),
    });
  });

  it('rejects a main statement with other columns', async () => {
    const main = (text: string) => ({ ...plan(''), main: { text, values: [] } });
    await expect(runTransaction(pool, main('select 1'))).rejects.toMatchObject({ code: '08P01' });
    await expect(
      runTransaction(pool, main('select 1, 2, 3, 4, 5, 6, 7 from generate_series(1, 2)')),
    ).rejects.toThrow('2 rows of 7 columns');
  });
});

describe('the role', () => {
  it.each([
    ['that does not exist', 'nobody_like_that', '22023'],
    ['that the login role may not switch to', 'postgres', '42501'],
  ])('%s fails the whole request', async (_, role, code) => {
    const running = runTransaction(pool, write(1, { settings: { ...settings, role } }));
    const error = await running.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code });
    expect(failedStage(error)).toBe('settings');
    expect(await stored()).toEqual([]);
  });

  it('can only be reset to the login role, which owns nothing', async () => {
    expect(await evaluate('become_free()', { isReadOnly: false })).toBe('authenticator');
    await expect(
      evaluate('(select count(*) from notes where become_free() is not null)', { isReadOnly: false }),
    ).resolves.toBe('0');
  });
});

describe('the pre-request function', () => {
  const call = (name: string) => ({ preRequest: { schema: 'public', name } });

  it('can reject the request', async () => {
    const error = await runTransaction(pool, write(1, call('refuse'))).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'PT401', message: 'go away' });
    expect(failedStage(error)).toBe('pre-request');
    expect(await stored()).toEqual([]);
  });

  it('can set the status and headers of the response', async () => {
    expect(await runTransaction(pool, plan("'x'", call('greet')))).toMatchObject({
      responseHeaders: '[{"X-From":"pre"}]',
      responseStatus: '201',
    });
    expect(await runTransaction(pool, plan("'x'"))).toMatchObject({
      responseHeaders: undefined,
      responseStatus: undefined,
    });
  });
});

describe('the end of the transaction', () => {
  it.each([
    ['it is implicit', { ending: { kind: 'implicit' } }],
    ['it is implicit with an isolation level', { ending: { kind: 'implicit' }, isolation: 'serializable' }],
    ['it follows a check', { ending: { kind: 'after-check', check: () => undefined } }],
    ['it is a rollback', { ending: { kind: 'rollback' } }],
  ] satisfies [string, Partial<Transaction>][])('reports deferred constraints if %s', async (_, more) => {
    await runTransaction(pool, write(1));
    const error = await runTransaction(pool, write(1, more)).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: '23505' });
    expect(failedStage(error)).toBe('commit');
    expect(await stored()).toEqual([1]);
  });

  it('can depend on a check of the row', async () => {
    const check = ({ pageCount }: Outcome) => (pageCount === 1 ? undefined : new Error('not one'));
    await runTransaction(pool, write(1, { ending: { kind: 'after-check', check } }));
    expect(await stored()).toEqual([1]);
    const refusing = runTransaction(
      pool,
      write(2, { ending: { kind: 'after-check', check: () => new Error('no') } }),
    );
    await expect(refusing).rejects.toThrow('no');
    expect(await stored()).toEqual([1]);
  });

  it('can be a rollback', async () => {
    expect((await runTransaction(pool, write(1, { ending: { kind: 'rollback' } }))).pageCount).toBe(1);
    const check = () => new Error('no');
    await expect(runTransaction(pool, write(1, { ending: { kind: 'rollback', check } }))).rejects.toThrow(
      'no',
    );
    expect(await stored()).toEqual([]);
  });

  it.each(['repeatable read', 'serializable'] as const)('has the isolation %s', async (isolation) => {
    expect(await evaluate("current_setting('transaction_isolation')", { isolation })).toBe(isolation);
  });

  it('restores the connection after an error in a block', async () => {
    const pid = await evaluate('pg_backend_pid()');
    const ending = { kind: 'after-check', check: () => undefined } as const;
    await expect(evaluate('1 / 0', { ending })).rejects.toMatchObject({ code: '22012' });
    expect(await evaluate('pg_backend_pid()')).toBe(pid);
  });
});

/** Settings that a function may leave in the session. */
const state = `concat_ws(' ', current_user, current_setting('search_path'),
  nullif(current_setting('app.tenant', true), ''), current_setting('statement_timeout'), current_setting('DateStyle'))`;

describe('session state that a function changes', () => {
  const loginRole = () =>
    pool.use(async (client) => (await client.query('select current_user as role')).rows[0].role);

  it.each(['leak_role()', 'leak_own_role()', 'leak_path()', 'leak_other()'])(
    'is reset before the next request, also after an error: %s',
    async (call) => {
      const before = await evaluate(state);
      await evaluate(call, { runsFunctions: true });
      expect(await evaluate(state)).toBe(before);
      expect(await loginRole()).toBe('authenticator');
      await evaluate(call, { isReadOnly: false });
      await expect(evaluate('1 / 0')).rejects.toMatchObject({ code: '22012' });
      expect(await evaluate(state)).toBe(before);
    },
  );

  it('is reset even without an expected call if PostgreSQL reports the change', async () => {
    const before = await evaluate(state);
    await evaluate('leak_reported()');
    expect(await evaluate(state)).toBe(before);
  });

  it('does not break later requests if it affects prepared statements', async () => {
    await evaluate("'kept'");
    await evaluate('drop_plans()', { isReadOnly: false });
    expect(await evaluate("'kept'")).toBe('kept');
    await evaluate('steal_plan()', { isReadOnly: false });
    expect(await evaluate("'new'")).toBe('new');
  });
});

describe('concurrent function calls', () => {
  const stable = { runsFunctions: true, isRepeatable: true };
  const quick = (expression: string, more: Partial<Transaction> = {}) => {
    const latency = new StatementLatency();
    for (let i = 0; i < 4; i++) latency.record(0.1);
    return plan('', { main: { ...valueStatement(`select ${expression}`), latency }, ...more });
  };

  /** Sends requests while the connection is busy, so that all are queued. Returns the number of writes to the connection. */
  async function runTogether<T>(begin: () => Promise<T>[]) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { promise: acquired, resolve: acquire } = Promise.withResolvers<RawClient>();
    const holding = pool.use((client) => {
      acquire(client);
      return promise;
    });
    const writes = vi.spyOn(await acquired, 'write');
    const running = begin();
    resolve();
    await holding;
    return { running, writes };
  }

  it('share a flush if they are repeatable, and leak no settings into later requests', async () => {
    const before = await evaluate(state);
    const { running, writes } = await runTogether(() =>
      ['leak_role()', 'leak_own_role()', 'leak_other()'].flatMap((call) => [
        runTransaction(pool, quick(call, stable)),
        runTransaction(pool, quick(state)),
        runTransaction(pool, quick(state, stable)),
      ]),
    );
    const states = (await Promise.all(running)).map(bodyOf).filter((_, i) => i % 3 > 0);
    expect(states).toEqual(states.map(() => before));
    expect(writes.mock.calls.length).toBeLessThan(9);
    expect(await evaluate(state)).toBe(before);
    writes.mockRestore();
  });

  it('leak no settings into the next request, even if their client has disconnected', async () => {
    const before = await evaluate(state);
    await evaluate('leak_other()', stable);
    const disconnect = new AbortController();
    const { running, writes } = await runTogether(() => [
      runTransaction(pool, quick('pg_sleep(0.1)')),
      runTransaction(pool, quick('leak_other()', stable), disconnect.signal),
    ]);
    while (writes.mock.calls.length === 0) await new Promise(setImmediate);
    disconnect.abort();
    const results = await Promise.allSettled(running);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(await evaluate(state)).toBe(before);
    writes.mockRestore();
  });

  it('do not share a flush if they are not repeatable', async () => {
    const { running, writes } = await runTogether(() =>
      [1, 2, 3].map(() => runTransaction(pool, quick("'one'", { runsFunctions: true }))),
    );
    await Promise.all(running);
    expect(writes).toHaveBeenCalledTimes(3);
    writes.mockRestore();
  });
});

describe('concurrent reads', () => {
  const people = ['ann', 'bob', 'eve', 'joe'];
  const seen = `select json_build_array(current_user, current_setting('request.jwt.claims')::json ->> 'sub',
    (select json_agg(text order by id) from notes), current_setting('DateStyle'))`;

  it('return only permitted rows, even if other reads fail', async () => {
    await database.admin.query({
      text: "insert into notes select n, (array['ann', 'bob', 'eve', 'joe'])[n % 4 + 1], 'note ' || n from generate_series(1, 40) as n",
    });
    const few = openRawPool({ url: database.authenticatorUrl, max: 2, applicationName: 'data' });
    const latency = new StatementLatency();
    for (let i = 0; i < 4; i++) latency.record(0.1);
    const kinds = ['see', 'fail', 'leak', 'slow', 'large', 'gone', 'service'] as const;
    const bodies = {
      see: seen,
      service: seen,
      fail: 'select 1 / 0',
      leak: "select set_config('DateStyle', 'German', false)",
      slow: 'select pg_sleep(0.03)',
      large: "select repeat('x', 700000)",
      gone: 'select pg_sleep(60)',
    };
    const run = async (i: number) => {
      const kind = i % 3 === 0 ? (kinds[(i / 3) % kinds.length] ?? 'see') : 'see';
      const sub = people[i % people.length] ?? '';
      const role = kind === 'service' ? 'service_role' : 'authenticated';
      const signal = kind === 'gone' ? AbortSignal.timeout(20 + (i % 50)) : undefined;
      const request = {
        ...plan(''),
        settings: { ...settings, role, claims: JSON.stringify({ sub }) },
        main: { ...valueStatement(bodies[kind]), latency },
      };
      const outcome = await runTransaction(few, request, signal).catch(
        (error: { code: string }) => error.code,
      );
      return { kind, sub, role, outcome };
    };
    const results = await Promise.all(Array.from({ length: 400 }, (_, i) => run(i)));
    for (const { kind, sub, role, outcome } of results) {
      if (kind === 'fail') expect(outcome).toBe('22012');
      else if (kind === 'gone') expect(['57014', DOMException.TIMEOUT_ERR]).toContain(outcome);
      else if (typeof outcome === 'string' || outcome === undefined) expect.fail(`${kind}: ${outcome}`);
      else if (kind === 'large') expect((await wholeBody(outcome)).length).toBe(700_000);
      else if (kind === 'see' || kind === 'service') {
        const own = Array.from({ length: 40 }, (_, n) => n + 1)
          .filter((n) => role === 'service_role' || people[n % 4] === sub)
          .map((n) => `note ${n}`);
        expect(JSON.parse(bodyOf(outcome) ?? '')).toEqual([role, sub, own, 'ISO, MDY']);
      }
    }
    await few.close();
  });
});

describe('a prepared statement', () => {
  it('whose result type has changed is prepared again, also in a transaction block', async () => {
    const main = { text: `select null, 1, null, null, null, null, c from changing`, values: [] };
    const ending = { kind: 'after-check', check: () => undefined } as const;
    await database.admin.query({ text: "create table changing as select 'one' as c" });
    for (const [type, more] of [
      ['varchar', {}],
      ['text', { ending }],
      ['varchar', { isolation: 'serializable' }],
    ] as const) {
      expect(bodyOf(await runTransaction(pool, plan('', { ...more, main })))).toBe('one');
      await database.admin.query({ text: `alter table changing alter column c type ${type}` });
      expect(bodyOf(await runTransaction(pool, plan('', { ...more, main })))).toBe('one');
    }
  });
});

describe('a disconnected client', () => {
  it('causes its statement to be cancelled and rolled back', async () => {
    const abort = new AbortController();
    const text = write(1).main.text.replace('count(*)', 'count(pg_sleep(100))');
    const running = runTransaction(pool, write(1, { main: { text, values: ['1'] } }), abort.signal);
    const failed = expect(running).rejects.toMatchObject({ code: '57014' });
    const active = {
      text: "select from pg_stat_activity where state = 'active' and query = $1",
      values: [text],
    };
    while ((await database.admin.query(active)).length === 0);
    abort.abort();
    await failed;
    expect(await stored()).toEqual([]);
    expect(await evaluate("'next'")).toBe('next');
  });

  it('causes no write after it has disconnected', async () => {
    await expect(runTransaction(pool, write(1), AbortSignal.abort(new Error('gone')))).rejects.toThrow(
      'gone',
    );
    expect(await stored()).toEqual([]);
  });
});

describe('settings of roles', () => {
  it('include only those that the login role may set; those of the database take precedence', async () => {
    const role = 'data_settings_role';
    const { pathname } = new URL(database.url);
    const admin = (text: string) => database.admin.query({ text });
    await admin(`drop role if exists ${role}`);
    await admin(`create role ${role}`);
    const login = openDatabase({
      url: database.authenticatorUrl,
      max: 1,
      applicationName: 'data',
    });
    try {
      const before = await loadRoleSettings(login);
      await admin(`alter role ${role} set statement_timeout = '5s'`);
      await admin(`grant ${role} to authenticator`);
      await admin(`alter role ${role} set work_mem = '5MB'`);
      await admin(`alter role ${role} in database ${pathname.slice(1)} set work_mem = '6MB'`);
      await admin(`alter role ${role} set app.tenant = 'a=b'`);
      await admin(`alter role ${role} set log_min_messages = 'fatal'`);
      await admin(`alter role ${role} set role = 'postgres'`);
      await admin(`alter role ${role} set default_transaction_isolation = 'repeatable read'`);
      expect(before.of(role)).toEqual({ settings: [], isolation: undefined });
      const roles = await loadRoleSettings(login);
      const ofRole = roles.of(role);
      expect(ofRole).toEqual({
        settings: [
          ['app.tenant', 'a=b'],
          ['statement_timeout', '5s'],
          ['work_mem', '6MB'],
        ],
        isolation: 'repeatable read',
      });
      const more = { settings: { ...settings, role, roleSettings: ofRole.settings } };
      expect(await evaluate("current_setting('work_mem') || current_setting('app.tenant')", more)).toBe(
        '6MBa=b',
      );
      expect(roles.of('anon').settings).toContainEqual(['statement_timeout', '3s']);
      expect(roles.of('nobody_like_that').settings).toEqual([]);
    } finally {
      await login.close();
      await admin(`drop role ${role}`);
    }
  });
});
