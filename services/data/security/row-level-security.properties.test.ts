/**
 * No role can read or change a row through the data API that it cannot read or change in plain SQL. Policies, privileges, rows
 * and requests are random; another connection determines as the role which rows are allowed.
 * `PROPERTY_SECONDS=300 npx vitest run services/data/security` searches for longer, and `PROPERTY_SEED` sets the seed.
 */
import { PROPERTY_SEED } from '@greenroom/testing/property-seed';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DataServer, type WireResponse } from '../testing/data-server.ts';
import { CALLERS, type Caller, CLUB, clubStates, MARK } from './testing/club.ts';
import { claimsOf, PlainSql } from './testing/plain-sql.ts';
import { type Read, reads } from './testing/reads.ts';
import { type Write, writes } from './testing/writes.ts';

const SECONDS = Number(process.env.PROPERTY_SECONDS ?? 5);
/** Whether there is time for more is asked after so many. */
const RUNS_PER_SEED = 10;
const MAX_ROWS = 4;
const OBJECT = 'application/vnd.pgrst.object+json';
/** Errors that may reject a request which plain SQL would allow. */
const OWN_REFUSALS = ['PGRST116'];

let server: DataServer;
let plain: PlainSql;
const tokens = new Map<Caller, string>();
const done = { reads: 0, readsAnswered: 0, writes: 0, writesDone: 0 };

beforeAll(async () => {
  server = await DataServer.open(CLUB, {
    PGRST_DB_AGGREGATES_ENABLED: 'true',
    PGRST_DB_MAX_ROWS: String(MAX_ROWS),
  });
  // Policies are nothing that the schema cache knows about: it need not be read again for each run.
  for (const trigger of ['pgrst_ddl_watch', 'pgrst_drop_watch']) {
    await server.database.admin.query({ text: `alter event trigger ${trigger} disable` });
  }
  plain = new PlainSql(server.database.url);
  for (const caller of CALLERS) tokens.set(caller, await server.token(claimsOf(caller)));
});
afterAll(async () => {
  await plain.close();
  await server.close();
});

interface ReadStep {
  kind: 'read';
  read: Read;
  callers: readonly Caller[];
  method: 'GET' | 'HEAD' | 'POST';
  count: 'exact' | 'planned' | 'estimated' | undefined;
  accept: string;
}

interface WriteStep {
  kind: 'write';
  write: Write;
  caller: Caller;
  accept: string;
}

const readSteps: fc.Arbitrary<ReadStep> = fc.record({
  kind: fc.constant('read' as const),
  read: reads(),
  callers: fc.subarray([...CALLERS], { minLength: 2, maxLength: 4 }),
  method: fc.constantFrom('GET' as const, 'GET' as const, 'HEAD' as const, 'POST' as const),
  count: fc.constantFrom(
    undefined,
    'exact' as const,
    'exact' as const,
    'planned' as const,
    'estimated' as const,
  ),
  accept: fc.constantFrom('application/json', 'application/json', 'application/json', 'text/csv', OBJECT),
});
const writeSteps: fc.Arbitrary<WriteStep> = fc.record({
  kind: fc.constant('write' as const),
  write: writes(),
  caller: fc.constantFrom(...CALLERS),
  accept: fc.constantFrom('application/json', 'application/json', 'application/json', 'text/csv', OBJECT),
});
const runs = fc.record({
  state: clubStates(),
  steps: fc.array(fc.oneof(readSteps, writeSteps), { minLength: 1, maxLength: 8, size: 'max' }),
});

it(
  `reads and writes only rows that plain SQL allows (seed ${PROPERTY_SEED})`,
  async () => {
    const property = fc.asyncProperty(runs, async ({ state, steps }) => {
      await server.run(state);
      plain.forget();
      for (const step of steps) {
        if (step.kind === 'read') await allDone(step.callers.map((caller) => checkRead(step, caller)));
        else await checkWrite(step);
      }
    });
    const end = Date.now() + SECONDS * 1000;
    for (let seed = PROPERTY_SEED; Date.now() < end; seed += 1)
      await fc.assert(property, { seed, numRuns: RUNS_PER_SEED });
    if (process.env.PROPERTY_SECONDS !== undefined) process.stdout.write(`${JSON.stringify(done)}\n`);
    // Where all is refused, nothing is shown by it.
    expect(done.readsAnswered).toBeGreaterThan(done.reads / 4);
    expect(done.writesDone).toBeGreaterThan(done.writes / 20);
  },
  (SECONDS + 120) * 1000,
);

function authorized(caller: Caller): Record<string, string> {
  return { authorization: `Bearer ${tokens.get(caller)}` };
}

/** Nothing may still be running when the next run begins. */
async function allDone(checks: readonly Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(checks))
    if (result.status === 'rejected') throw result.reason;
}

async function checkRead(step: ReadStep, caller: Caller): Promise<void> {
  const { read, method, count, accept } = step;
  const response = await requestAs(step, caller);
  done.reads += 1;
  const visible = await plain.visible(caller);
  expectVisible(response, visible, step);
  if (response.status >= 400) return;
  done.readsAnswered += 1;
  const expected = await plain.run(caller, read.sql);
  const context = JSON.stringify({ step, caller, body: response.text });
  if (expected.error !== undefined) return expectNothing(response, count, context);
  await expectCount(response, step, caller, expected.rows.length);
  if (method === 'HEAD' || accept !== 'application/json') return;
  const rows = response.json as Record<string, unknown>[];
  if (!read.showsMarks) return expectAggregates(rows, expected.rows, read, context);
  const marks = expected.rows.map(({ mark }) => mark);
  expect(marks, context).toEqual(expect.arrayContaining(rows.map(({ mark }) => mark)));
  expect(rows, context).toHaveLength(Math.min(marks.length, MAX_ROWS, read.limit ?? MAX_ROWS));
}

/** Only functions are called by POST; anything else is read. */
function requestAs({ read, method, count, accept }: ReadStep, caller: Caller): Promise<WireResponse> {
  const { path, query, args } = read;
  const prefer: Record<string, string> = count === undefined ? {} : { prefer: `count=${count}` };
  const headers = { accept, ...prefer, ...authorized(caller) };
  if (method === 'POST' && args !== undefined) {
    const json = { ...headers, 'content-type': 'application/json' };
    return server.request(`${path}?${query}`, { method, headers: json, body: args });
  }
  const parameters = Object.entries(args ?? {}).map(([name, value]) => `&${name}=${value}`);
  const url = `${path}?${query}${parameters.join('')}`;
  return server.request(url, { method: method === 'HEAD' ? 'HEAD' : 'GET', headers });
}

/** No response, including errors, contains a row that the role may not read. */
function expectVisible(response: WireResponse, visible: ReadonlySet<string>, step: unknown): void {
  const headers = ['content-range', 'location', 'content-location'].map((name) => response.header(name));
  const shown = `${response.text} ${headers.join(' ')}`.match(MARK) ?? [];
  const hidden = shown.filter((mark) => !visible.has(mark));
  expect(hidden, JSON.stringify({ step, body: response.text })).toEqual([]);
}

/** PostgreSQL asks for no privileges on what it need not look at, once there are no rows that it could belong to. */
function expectNothing(response: WireResponse, count: ReadStep['count'], context: string): void {
  expect(response.text.match(MARK), context).toBeNull();
  const total = response.header('content-range')?.split('/')[1] ?? '*';
  if (count !== 'planned') expect(['*', '0', '1'], context).toContain(total);
}

async function expectCount(
  response: WireResponse,
  { read, count }: ReadStep,
  caller: Caller,
  rows: number,
): Promise<void> {
  const total = response.header('content-range')?.split('/')[1] ?? '*';
  // The rows of a function are counted.
  const isPlanned =
    read.args === undefined && (count === 'planned' || (count === 'estimated' && Number(total) > MAX_ROWS));
  if (total === '*' || !read.showsMarks) return;
  const context = JSON.stringify({ read, caller, count, total });
  if (!isPlanned) expect(Number(total), context).toBe(rows);
  // An estimate of plain SQL may be another one, but where nothing is asked of the rows.
  else if (!read.hasFilters)
    expect(Number(total), context).toBe(await estimated(caller, read.sql, rows, count));
}

async function estimated(
  caller: Caller,
  sql: string,
  rows: number,
  count: ReadStep['count'],
): Promise<number> {
  const [row] = (await plain.run(caller, `explain (format json) ${sql}`)).rows;
  const [{ Plan }] = (row as { 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] })['QUERY PLAN'];
  return count === 'planned' ? Plan['Plan Rows'] : Math.max(Plan['Plan Rows'], rows);
}

function expectAggregates(
  answered: Record<string, unknown>[],
  rows: Record<string, unknown>[],
  { limit }: Read,
  context: string,
): void {
  const total = answered.reduce((sum, { count }) => sum + Number(count), 0);
  // Where not all groups are there, some rows may be missing.
  const isComplete = answered.length < Math.min(MAX_ROWS, limit ?? MAX_ROWS);
  if (isComplete) expect(total, context).toBe(rows.length);
  else expect(total, context).toBeLessThanOrEqual(rows.length);
  const [first] = answered;
  if (first === undefined || !('min' in first)) return;
  const marks = rows.map(({ mark }) => String(mark)).toSorted();
  const levels = rows.flatMap(({ level }) => (level === null ? [] : [Number(level)]));
  expect(first.sum, context).toBe(levels.length === 0 ? null : levels.reduce((sum, level) => sum + level, 0));
  for (const mark of [first.min, first.max]) expect([null, ...marks], context).toContain(mark);
}

async function checkWrite(step: WriteStep): Promise<void> {
  const { write, caller, accept } = step;
  const { method, target, prefer, body, sql, hasRepresentation } = write;
  const before = await plain.state();
  const seenBefore = await plain.visible(caller);
  const expected = sql === undefined ? undefined : await plain.run(caller, sql);
  const headers = { accept, prefer, 'content-type': 'application/json', ...authorized(caller) };
  const response = await server.request(target, { method, headers, body });
  plain.forget();
  done.writes += 1;
  const after = await plain.state();
  const seenAfter = await plain.visible(caller);
  const context = JSON.stringify({
    step,
    response: [response.status, response.text],
    expected: expected?.error,
  });
  expectVisible(response, new Set([...seenBefore, ...seenAfter, ...sentMarks(body)]), step);
  if (response.status >= 400) {
    expect(after, context).toEqual(before);
    const { code } = response.json as { code: string };
    // The role may lack privileges on the embedded relation.
    const isOwn = sql === undefined || OWN_REFUSALS.includes(code) || (write.hasEmbeds && code === '42501');
    if (!isOwn) expect(code, context).toBe(expected?.error);
    return;
  }
  expect(expected?.error, context).toBeUndefined();
  expect(after, context).toEqual(expected?.state);
  done.writesDone += 1;
  if (!hasRepresentation || accept !== 'application/json' || expected === undefined) return;
  const rows = response.json as { mark: string }[];
  if (target.startsWith('/rpc/')) expect(rows.length, context).toBe(Math.min(expected.rows.length, MAX_ROWS));
  else expect(marksOf(rows), context).toEqual(marksOf(expected.rows));
}

/** Who sent them knows them; an error may tell them. */
function sentMarks(body: unknown): string[] {
  return (JSON.stringify(body) ?? '').match(MARK) ?? [];
}

function marksOf(rows: readonly Record<string, unknown>[]): string[] {
  return rows.map(({ mark }) => String(mark)).toSorted();
}
