/**
 * Rows of reports as tables of an SQLite database in memory. The Supabase CLI reads the files by csvq, whose values have no
 * types: a text that looks like a number is compared as one, and texts without regard to case. SQLite does the same for
 * columns of the type NUMERIC with the collation NOCASE, and needs no rights in the inspected database.
 */
import { DatabaseSync } from 'node:sqlite';
import type { ReportRows } from '../read-report.ts';
import { fileNameOf } from '../reports.ts';

/** The tables. */
export interface ReportTables extends Disposable {
  /**
   * Returns the first value of the first row; null if there is none.
   * @throws Error if the query is no valid statement, writes, or returns several columns
   */
  firstValue(query: string): string | null;
}

/** Quoted texts and names, which stay as they are, or the name of a column that is a keyword of SQLite. */
const QUOTED_OR_KEYWORD = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|\bindex\b/gi;
const GROUPED_NUMBER = /^-?\d{1,3}(?:,\d{3})+$/;

/** Creates a table for each report, with the name of its file. */
export function openTables(reports: readonly ReportRows[]): ReportTables {
  const database = new DatabaseSync(':memory:', { enableDoubleQuotedStringLiterals: true });
  for (const report of reports) fill(database, report);
  database.exec('pragma query_only = on');
  addFunctions(database);
  return {
    firstValue: (query) => firstValue(database, query),
    [Symbol.dispose]: () => database.close(),
  };
}

function fill(database: DatabaseSync, { report, columns, rows }: ReportRows): void {
  const table = quoted(fileNameOf(report));
  database.exec(
    `create table ${table} (${columns.map(({ name }) => `${quoted(name)} numeric collate nocase`)})`,
  );
  const insertion = database.prepare(`insert into ${table} values (${columns.map(() => '?')})`);
  for (const row of rows) insertion.run(...row.map(withoutGroups));
}

/** Numbers of rows are grouped for people: `1,234`. */
function withoutGroups(value: string | null): string | null {
  return value !== null && GROUPED_NUMBER.test(value) ? value.replaceAll(',', '') : value;
}

/** Functions of csvq: `listagg(value, separator)` joins the values that are not NULL; `float(value)` is NULL for other texts. */
function addFunctions(database: DatabaseSync): void {
  database.function('float', (value) => {
    const number = value === null || value === '' ? Number.NaN : Number(value);
    return Number.isNaN(number) ? null : number;
  });
  database.aggregate<string | null>('listagg', {
    varargs: true,
    start: null,
    step: (joined, value, separator = '') => {
      if (value === null) return joined;
      return joined === null ? String(value) : `${joined}${separator}${value}`;
    },
  });
}

function firstValue(database: DatabaseSync, query: string): string | null {
  const text = query.replaceAll(QUOTED_OR_KEYWORD, (part) => (/^index$/i.test(part) ? quoted(part) : part));
  const statement = database.prepare(text);
  const { length } = statement.columns();
  if (length !== 1) throw new Error(`the query returns ${length} columns instead of one`);
  statement.setReturnArrays(true);
  const [value = null] = (statement.get() as unknown as unknown[] | undefined) ?? [];
  return value === null ? null : String(value);
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
