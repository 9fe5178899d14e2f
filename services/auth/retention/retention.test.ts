import { randomUUID } from 'node:crypto';
import { type ConfigSource, loadSettings } from '@greenroom/config';
import { type Database, openDatabase } from '@greenroom/postgres';
import { createTestDatabase, type TestDatabase } from '@greenroom/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { authSettings } from '../settings.ts';
import { RETENTION_LOCK, type Retention, type RetentionOptions, startRetention } from './retention.ts';

const USER = randomUUID();
const logged: { details: object; message: string }[] = [];
const log = {
  info: () => {},
  error: (details: object, message: string) => logged.push({ details, message }),
};
let database: TestDatabase;
let retentions: Retention[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  await execute('insert into auth.users (id) values ($1)', USER);
});
beforeEach(() => {
  logged.length = 0;
});
afterEach(async () => {
  await Promise.all(retentions.map((retention) => retention.close()));
  retentions = [];
  for (const table of ['audit_log_entries', 'sessions', 'refresh_tokens', 'flow_state']) {
    await execute(`delete from auth.${table}`);
  }
});
afterAll(() => database.drop());

const execute = (text: string, ...values: unknown[]) =>
  database.admin.query<Record<string, unknown>>({ text, values });

async function count(table: string): Promise<number> {
  const [row] = await execute(`select count(*)::int as n from auth.${table}`);
  return row?.n as number;
}

function start(env: ConfigSource = {}, more: Partial<RetentionOptions> = {}): Retention {
  const config = loadSettings(authSettings, env);
  const retention = startRetention({ config, database: database.auth, log, pauseMs: 0, ...more });
  retentions.push(retention);
  return retention;
}

function addAudit(days: number, rows = 1) {
  return execute(
    `insert into auth.audit_log_entries (id, created_at)
      select gen_random_uuid(), now() - make_interval(days => $1) from generate_series(1, $2)`,
    days,
    rows,
  );
}

interface SessionTimes {
  created: number;
  refreshed?: number;
  notAfter?: number;
}

/** Adds a session. Times are in days before now. */
async function addSession({ created, refreshed, notAfter }: SessionTimes): Promise<string> {
  const id = randomUUID();
  await execute(
    `insert into auth.sessions (id, user_id, created_at, updated_at, refreshed_at, not_after) values ($1, $2,
      now() - make_interval(days => $3), now() - make_interval(days => $3),
      (now() - make_interval(days => $4)) at time zone 'utc', now() - make_interval(days => $5))`,
    id,
    USER,
    created,
    refreshed ?? null,
    notAfter ?? null,
  );
  return id;
}

/** Adds a chain of tokens; the last one is active unless `allRevoked`. Ages are in days. */
async function addTokens(
  session: string | null,
  ages: readonly number[],
  allRevoked = false,
): Promise<string[]> {
  const tokens = ages.map(() => randomUUID());
  for (const [index, token] of tokens.entries()) {
    const revoked = allRevoked || index < ages.length - 1;
    await execute(
      `insert into auth.refresh_tokens (token, parent, user_id, session_id, revoked, created_at, updated_at)
        values ($1, $2, $3, $4, $5, now() - make_interval(days => $6), now() - make_interval(days => $6))`,
      token,
      tokens[index - 1] ?? '',
      USER,
      session,
      revoked,
      ages[index],
    );
  }
  return tokens;
}

async function tokensLeft(): Promise<unknown[]> {
  return (await execute('select token from auth.refresh_tokens order by id')).map(({ token }) => token);
}

async function sessionsLeft(): Promise<unknown[]> {
  return (await execute('select id from auth.sessions order by created_at')).map(({ id }) => id);
}

it('removes old audit entries and keeps younger ones', async () => {
  await addAudit(91, 3);
  await addAudit(89, 2);
  expect(await start().run()).toEqual({ 'audit entries': 3 });
  expect(await count('audit_log_entries')).toBe(2);
});

it('keeps all rows at 0', async () => {
  await addAudit(10_000);
  const session = await addSession({ created: 9000, notAfter: 8000 });
  await addTokens(session, [9000, 8999, 8998]);
  await execute(
    `insert into auth.flow_state (id, provider_type, authentication_method, created_at)
      values (gen_random_uuid(), 'x', 'oauth', '2000-01-01')`,
  );
  const removed = await start({
    GREENROOM_AUTH_AUDIT_RETENTION_DAYS: '0',
    GREENROOM_AUTH_SESSION_RETENTION_DAYS: '0',
    GREENROOM_AUTH_REFRESH_TOKEN_RETENTION_DAYS: '0',
    GREENROOM_AUTH_FLOW_STATE_RETENTION_DAYS: '0',
  }).run();
  expect(removed).toEqual({});
  expect(await tokensLeft()).toHaveLength(3);
});

it('removes ended sessions with their tokens, and keeps active ones of any age', async () => {
  const live = await addSession({ created: 5000 });
  await addTokens(live, [5000]);
  const ending = await addSession({ created: 4000, notAfter: 29 });
  const ended = await addSession({ created: 3000, notAfter: 31 });
  await addTokens(ended, [3000]);
  expect(await start().run()).toEqual({ 'ended sessions': 1 });
  expect(await sessionsLeft()).toEqual([live, ending]);
  expect(await count('refresh_tokens')).toBe(1);
});

it('removes sessions that a time limit ended', async () => {
  const day = '24h';
  const refreshed = await addSession({ created: 40, refreshed: 1 });
  const withYoungToken = await addSession({ created: 39 });
  await addTokens(withYoungToken, [2]);
  await addSession({ created: 38, refreshed: 37 });
  expect(await start({ GOTRUE_SESSIONS_INACTIVITY_TIMEOUT: day }).run()).toEqual({ 'inactive sessions': 1 });
  expect(await sessionsLeft()).toEqual([refreshed, withYoungToken]);
  expect(await start({ GOTRUE_SESSIONS_TIMEBOX: day }).run()).toEqual({
    'sessions past their maximum lifetime': 2,
  });
});

it('keeps an ended session while its access token is valid', async () => {
  await addSession({ created: 40, notAfter: 31 });
  expect(await start({ GOTRUE_JWT_EXP: String(2 * 86_400) }).run()).toEqual({});
});

it('keeps active tokens, their parents, young tokens and the newest token of each session', async () => {
  const live = await addSession({ created: 100 });
  const [, , parent, active] = await addTokens(live, [100, 90, 80, 70]);
  const upgraded = await addSession({ created: 100 });
  const [, newest] = await addTokens(upgraded, [60, 50], true);
  const young = await addTokens(await addSession({ created: 100 }), [29, 28, 27]);
  const orphan = await addTokens(null, [40, 40]);
  // The batch is smaller than the number of old tokens that stay.
  expect(await start({}, { batchRows: 1 }).run()).toEqual({ 'revoked refresh tokens': 4 });
  expect(await tokensLeft()).toEqual([parent, active, newest, ...young, orphan[1]]);
});

it('keeps revoked tokens for at least the reuse interval', async () => {
  await addTokens(await addSession({ created: 100 }), [100, 90, 80]);
  const interval = String(200 * 86_400);
  expect(await start({ GOTRUE_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL: interval }).run()).toEqual({});
});

it('removes expired flow states, and keeps those whose mail can still be opened', async () => {
  await execute(
    `insert into auth.flow_state (id, provider_type, authentication_method, created_at)
      select gen_random_uuid(), 'email', 'magiclink', now() - make_interval(days => d) from unnest(array[1, 2, 5]) d`,
  );
  const env = { GOTRUE_MAILER_OTP_EXP: String(2 * 86_400) };
  expect(await start(env).run()).toEqual({ 'expired flow states': 1 });
  expect(await start().run()).toEqual({ 'expired flow states': 1 });
  expect(await count('flow_state')).toBe(1);
});

it('examines every old row in batches', async () => {
  await addAudit(100, 25);
  const statements: number[] = [];
  const counting = withBatches(database.auth, async (run) => {
    statements.push(1);
    return run();
  });
  const env = { GREENROOM_AUTH_SESSION_RETENTION_DAYS: '0' };
  await start(env, { batchRows: 10, database: counting }).run();
  expect(await count('audit_log_entries')).toBe(0);
  // 3 for the audit log, 1 for each other kind.
  expect(statements).toHaveLength(5);
});

it('skips rows that another transaction has locked', async () => {
  const id = await addSession({ created: 100, notAfter: 60 });
  await database.auth.transaction(async (tx) => {
    await tx.query({ text: 'select from auth.sessions where id = $1 for update', values: [id] });
    expect(await start().run()).toEqual({});
  });
  expect(await start().run()).toEqual({ 'ended sessions': 1 });
});

it('removes each row once if two nodes run concurrently', async () => {
  await addAudit(100, 200);
  const results = await Promise.all([start({}, { batchRows: 7 }).run(), start({}, { batchRows: 7 }).run()]);
  expect(results.reduce((sum, removed) => sum + (removed['audit entries'] ?? 0), 0)).toBe(200);
  expect(logged).toEqual([]);
});

it('lets the node that holds the lock do the work', async () => {
  await addAudit(100);
  await database.auth.transaction(async (tx) => {
    await tx.query({ text: 'select pg_advisory_xact_lock($1::bigint)', values: [RETENTION_LOCK] });
    expect(await start().run()).toEqual({});
  });
});

it('close finishes the current batch and starts no other', async () => {
  await addAudit(100, 30);
  let closing: Promise<void> | undefined;
  const slow = withBatches(database.auth, async (run) => {
    closing ??= retention.close();
    return run();
  });
  const retention = start({}, { batchRows: 10, pauseMs: 60_000, database: slow });
  expect(await retention.run()).toEqual({ 'audit entries': 10 });
  await closing;
  expect(await count('audit_log_entries')).toBe(20);
});

it('logs an error, removes the other kinds, and retries at the next run', async () => {
  await addAudit(100);
  await addSession({ created: 100, notAfter: 60 });
  const retention = start();
  await execute('alter table auth.audit_log_entries rename to hidden');
  expect(await retention.run()).toEqual({ 'ended sessions': 1 });
  await execute('alter table auth.hidden rename to audit_log_entries');
  expect(logged).toMatchObject([{ details: { rows: 'audit entries' } }]);
  expect(await retention.run()).toEqual({ 'audit entries': 1 });
});

it('logs an error while the database cannot be reached', async () => {
  const unreachable = openDatabase({ url: 'postgresql://x@127.0.0.1:1/x', max: 1, applicationName: 'test' });
  await start({}, { database: unreachable }).run();
  expect(logged.length).toBeGreaterThan(0);
  await unreachable.close();
});

it('runs after the delay and then in intervals', async () => {
  start({}, { firstRunMs: 5, intervalMs: 20 });
  for (const _ of [1, 2]) {
    await addAudit(100);
    await expect.poll(() => count('audit_log_entries')).toBe(0);
  }
});

it('reads only old rows, by an index', async () => {
  await execute(
    `insert into auth.audit_log_entries (id, created_at) select gen_random_uuid(), now() from generate_series(1, 5000)`,
  );
  await execute('analyze auth.audit_log_entries');
  const plan = await execute(
    `explain select id from auth.audit_log_entries r
      where r.created_at < now() - interval '90 days' order by r.created_at, r.id limit 1000`,
  );
  expect(JSON.stringify(plan)).toContain('audit_log_entries_created_at_idx');
});

/** Calls `around` for each transaction. */
function withBatches(inner: Database, around: <T>(run: () => Promise<T>) => Promise<T>): Database {
  return { ...inner, transaction: (work) => around(() => inner.transaction(work)) };
}
