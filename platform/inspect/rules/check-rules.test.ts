import { describe, expect, it } from 'vitest';
import type { ReportRows } from '../read-report.ts';
import { reportNamed } from '../reports.ts';
import { checkRules } from './check-rules.ts';
import { DEFAULT_RULES } from './default-rules.ts';

const TEXT = 25;

/** Rows of a report, as objects with the same columns. */
function rowsOf(name: string, ...objects: Record<string, string | null>[]): ReportRows {
  const columns = Object.keys(objects[0] ?? {}).map((column) => ({ name: column, type: TEXT }));
  return { report: reportNamed(name), columns, rows: objects.map((object) => Object.values(object)) };
}

const check = (query: string, ...reports: ReportRows[]) =>
  checkRules([{ name: 'a', query, pass: 'good', fail: 'bad' }], reports)[0];

const LOCK = { stmt: 'select 1', granted: 't', age: '00:00:30.123' };
const DATABASE = { name: 'postgres', index_hit_rate: '0.99', table_hit_rate: 'N/A' };
const TABLE = { name: 'public.a', estimated_row_count: '1001', seq_scans: '100' };
const VACUUM = {
  name: 'public.a',
  last_vacuum: '2026-01-01 10:00',
  last_autovacuum: '2026-01-01 10:00',
  rowcount: '1,234',
  dead_rowcount: '246',
  expect_autovacuum: 'no',
};
const INDEX = { name: 'public.a_pkey', table: 'public.a', columns: 'id' };
const GOOD = {
  blocking: undefined,
  bloat: { name: 'public.a', bloat: '4.0' },
  'db-stats': DATABASE,
  'index-stats': INDEX,
  locks: LOCK,
  'long-running-queries': undefined,
  'replication-slots': { slot_name: 'a', active: 't' },
  'unused-indexes': undefined,
  'table-stats': TABLE,
  'vacuum-stats': VACUUM,
};

describe('the default rules', () => {
  type Rows = Record<string, string> | Record<string, string>[];
  const EMPTY = { index: '', blocked_pid: '', pid: '' };

  function failuresWith(changed: Partial<Record<keyof typeof GOOD, Rows>>) {
    const reports = Object.entries({ ...GOOD, ...changed }).map(([name, rows]) =>
      rows ? rowsOf(name, ...[rows].flat()) : { ...rowsOf(name, EMPTY), rows: [] },
    );
    return checkRules(DEFAULT_RULES, reports)
      .filter(({ outcome }) => outcome !== 'passed')
      .map(({ name, outcome, matches }) => [name, outcome, matches]);
  }

  it('all hold for a database without findings', () => {
    expect(failuresWith({})).toEqual([]);
  });

  it.each([
    ['No old locks', { locks: { ...LOCK, age: '00:02:00.5' } }, 'select 1'],
    ['No old locks', { locks: { ...LOCK, age: '1 day 00:00:10' } }, 'select 1'],
    ['No ungranted locks', { locks: { ...LOCK, granted: 'f' } }, 'select 1'],
    ['No unused indexes', { 'unused-indexes': { name: 'public.a', index: 'a_b_idx' } }, 'a_b_idx'],
    [
      'No duplicate indexes',
      { 'index-stats': [INDEX, { ...INDEX, name: 'public.a_idx' }, { ...INDEX, columns: 'b' }] },
      'public.a_pkey,public.a_idx',
    ],
    [
      'Cache hit rates of 94% or more',
      { 'db-stats': { ...DATABASE, index_hit_rate: '0.93' } },
      'index: 0.93, table: N/A',
    ],
    ['Few sequential scans of large tables', { 'table-stats': { ...TABLE, seq_scans: '101' } }, 'public.a'],
    [
      'No large tables that wait for autovacuum',
      { 'vacuum-stats': { ...VACUUM, expect_autovacuum: 'yes' } },
      'public.a',
    ],
    ['At most 20% dead rows', { 'vacuum-stats': { ...VACUUM, dead_rowcount: '247' } }, 'public.a'],
    ['No inactive replication slots', { 'replication-slots': { slot_name: 'a', active: 'f' } }, 'a'],
    ['No blocked statements', { blocking: [{ blocked_pid: '4711' }, { blocked_pid: '4712' }] }, '4711,4712'],
    ['No statements of more than 5 minutes', { 'long-running-queries': { pid: '4711' } }, '4711'],
    ['No bloat of more than factor 4', { bloat: { name: 'public.a', bloat: '4.1' } }, 'public.a'],
    [
      'Large tables were vacuumed',
      { 'vacuum-stats': { ...VACUUM, last_autovacuum: '', last_vacuum: '' } },
      'public.a',
    ],
  ])('%s is broken by %j', (name, changed, matches) => {
    expect(failuresWith(changed)).toEqual([[name, 'failed', matches]]);
  });

  it.each([
    { 'table-stats': { ...TABLE, estimated_row_count: '1000', seq_scans: '5000' } },
    { 'vacuum-stats': { ...VACUUM, rowcount: '1,000', expect_autovacuum: 'yes' } },
    { 'vacuum-stats': { ...VACUUM, rowcount: '-1', last_vacuum: '', last_autovacuum: '' } },
    { 'vacuum-stats': { ...VACUUM, last_vacuum: '' } },
  ])('all hold for small tables, and for those without statistics: %j', (changed) => {
    expect(failuresWith(changed)).toEqual([]);
  });
});

describe('a rule', () => {
  const locks = rowsOf('locks', LOCK, { ...LOCK, stmt: 'select 2' }, { ...LOCK, stmt: null, granted: 'f' });

  it('is broken by the value of its first row, which is the match', () => {
    expect(check("SELECT LISTAGG(stmt, ',') AS match FROM `locks.csv`;", locks)).toEqual({
      name: 'a',
      status: 'bad',
      outcome: 'failed',
      matches: 'select 1,select 2',
    });
  });

  it.each([
    ['returns no row', 'select stmt from `locks.csv` where false', null],
    ['aggregates no rows', 'select listagg(stmt) from `locks.csv` where false', null],
    ['returns NULL', "select stmt from `locks.csv` where granted = 'f'", null],
    ['returns an empty text', "select ''", ''],
  ])('holds if its query %s', (_, query, matches) => {
    expect(check(query, locks)).toEqual({ name: 'a', status: 'good', outcome: 'passed', matches });
  });

  it('may compare texts without regard to case, and name the column index', () => {
    const indexes = rowsOf('unused-indexes', { name: 'public.A', index: 'a_idx' });
    const query = "select listagg(index || ' index', ',') from `unused_indexes.csv` where name = 'PUBLIC.a'";
    expect(check(query, indexes)).toMatchObject({ matches: 'a_idx index' });
    expect(check(query.replaceAll("'", '"'), indexes)).toMatchObject({ matches: 'a_idx index' });
  });

  it('may use the functions of the rules of the Supabase CLI', () => {
    const vacuum = rowsOf('vacuum-stats', VACUUM);
    const query = (text: string) => `SELECT s.name AS match FROM \`vacuum_stats.csv\` s WHERE ${text};`;
    expect(check(query("FLOAT(REPLACE(s.rowcount, ',', '')) > 1233"), vacuum)).toMatchObject({
      matches: 'public.a',
    });
    expect(check(query('FLOAT(s.name) IS NULL'), vacuum)).toMatchObject({ matches: 'public.a' });
  });

  it.each([
    ['select', 'error: incomplete input'],
    ['select tbl from `locks.csv`', 'error: no such column: tbl'],
    ['select 1 from `calls.csv`', 'error: no such table: calls.csv'],
    ['select 1, 2', 'error: the query returns 2 columns instead of one'],
    ['delete from `locks.csv` returning 1', 'error: attempt to write a readonly database'],
  ])('shows the error of its query: %s', (query, status) => {
    expect(check(query, locks)).toEqual({ name: 'a', status, outcome: 'error', matches: null });
  });
});
