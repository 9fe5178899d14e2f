/** The statements of a write. The main statement returns one row with the columns of `MAIN_COLUMNS`. */
import { neededColumns } from '../plan/needed-columns.ts';
import type { ReadNode } from '../plan/read-node.ts';
import { WRITTEN, type WritePlan } from '../plan/write-plan.ts';
import { type BodyFormat, bodySql, PAGE } from './body.ts';
import { countsMerge, insertSql, MERGE_COUNT, mutationSql } from './mutation.ts';
import { rowsSql } from './read.ts';
import { EMPTY, type Fragment, join, name, type SqlText, sql, toText } from './sql.ts';
import { type ExplainOptions, explainSql, mainColumnsSql, type StatementOptions } from './statement.ts';

/** The main statement and, if that does not read the written rows, a separate mutation that runs before it. */
interface WriteStatements {
  write?: SqlText;
  main: SqlText;
}

/** Options of {@link writeStatements}. */
export interface WriteOptions {
  /** Used only with `return=representation`; other responses have no body. */
  format: BodyFormat;
  /** The statement does not count for undefined and `planned`. */
  count?: StatementOptions['count'];
}

/**
 * Returns the statements of a write. An insert whose rows are neither returned nor counted is a separate statement:
 * returning a thousand rows only to count them takes a tenth of the time of the insert.
 */
export function writeStatements(plan: WritePlan, node: ReadNode, options: WriteOptions): WriteStatements {
  if (!skipsCounting(plan, options)) return { main: writeStatement(plan, node, options) };
  return { write: toText(insertSql(plan)), main: EMPTY_OUTCOME };
}

/** Whether the number of rows is irrelevant for the response, the status, and the check for exactly one row. */
function skipsCounting(plan: WritePlan, { format, count }: WriteOptions): boolean {
  const isCounted = count === 'exact' || count === 'estimated' || plan.resolution === 'merge-duplicates';
  return plan.kind === 'insert' && plan.return === 'minimal' && format.kind !== 'object' && !isCounted;
}

/** Returns zero rows and the response settings, which triggers may have set. */
const EMPTY_OUTCOME = toText(
  sql`select ${mainColumnsSql({
    total: sql`null::bigint`,
    page: sql`0::bigint`,
    inserted: sql`null::bigint`,
    location: sql`null::text`,
    body: sql`null::text`,
  })}`,
);

/**
 * Returns the statement. Its columns are `total_count` and `page_count`, the number of written rows; `inserted_count`,
 * for an upsert the number of new rows; `location`, the primary key of an inserted row as a JSON array of strings;
 * `response_headers`, `response_status` and `body`.
 *
 * @param node a read of {@link WRITTEN} with `isWrite`
 */
export function writeStatement(plan: WritePlan, node: ReadNode, options: WriteOptions): SqlText {
  return toText(writeSql(plan, node, options));
}

/** Returns the EXPLAIN statement of a write. With `analyze`, PostgreSQL executes the write. */
export function explainedWriteStatement(
  plan: WritePlan,
  node: ReadNode,
  options: WriteOptions,
  explain: ExplainOptions,
): SqlText {
  return toText(explainSql(writeSql(plan, node, options), explain));
}

const ROWS = sql`"written"."rows"`;

/**
 * Rows are counted in subqueries, and the outer query reads the settings: at that point all rows are written, even if the
 * response shows none of them. AFTER triggers have not run yet.
 */
function writeSql(plan: WritePlan, node: ReadNode, { format, count }: WriteOptions): Fragment {
  const isShown = plan.return === 'representation' && format.kind !== 'none';
  const tables = [
    sql`${name(WRITTEN)} as (${mutationSql(plan, returnedColumns(plan, node))})`,
    // The CSV body reads the rows twice: for the header and for the lines.
    ...(isShown && format.kind === 'csv' ? [sql`${PAGE} as (${rowsSql(node)})`] : []),
  ];
  const columns = mainColumnsSql({
    total: count === 'exact' || count === 'estimated' ? ROWS : sql`null::bigint`,
    page: pageSql(plan, isShown && format.kind === 'object'),
    inserted: insertedSql(plan),
    location: locationSql(plan),
    body: isShown ? sql`"shown"."body"` : sql`null::text`,
  });
  const shown = isShown ? sql`, ${shownSql(node, format)}` : EMPTY;
  const from = sql`(select count(*) as "rows" from ${name(WRITTEN)}) as "written"${shown}`;
  return sql`with ${join(tables, ', ')} select ${columns} from ${from}`;
}

/**
 * Returns the columns that the response and {@link locationSql} need. RETURNING omits other columns because reading a
 * column may require a privilege.
 */
function returnedColumns(plan: WritePlan, node: ReadNode): readonly string[] | undefined {
  if (plan.return === 'minimal') return [];
  const needed = neededColumns(node);
  if (needed === undefined) return undefined;
  return [...needed.union(new Set(returnsLocation(plan) ? plan.relation.primaryKey : []))];
}

function shownSql(node: ReadNode, format: BodyFormat): Fragment {
  const from = format.kind === 'csv' ? PAGE : sql`(${rowsSql(node)}) as ${PAGE}`;
  return sql`(select count(*) as "rows", ${bodySql(format, 'rows')} as "body" from ${from}) as "shown"`;
}

/** If the client requests a single object, exactly one row must be written, and an inner embed must not exclude it. */
function pageSql({ kind }: WritePlan, isObject: boolean): Fragment {
  if (!isObject || kind === 'put') return ROWS;
  return sql`case when ${ROWS} = 1 then "shown"."rows" else ${ROWS} end`;
}

function insertedSql(plan: WritePlan): Fragment {
  if (plan.resolution !== 'merge-duplicates') return sql`null::bigint`;
  // A trigger may have skipped a row.
  return countsMerge(plan) ? sql`least(coalesce(${MERGE_COUNT}, 0), ${ROWS})` : ROWS;
}

function returnsLocation(plan: WritePlan): boolean {
  return plan.kind === 'insert' && plan.return === 'headers-only' && plan.relation.primaryKey.length > 0;
}

/** Returns the values of the primary key as text, in the order of its columns. */
function locationSql(plan: WritePlan): Fragment {
  if (!returnsLocation(plan)) return sql`null::text`;
  const values = plan.relation.primaryKey.map((column) => sql`${name(WRITTEN, column)}::text`);
  const key = sql`select json_build_array(${join(values, ', ')})::text from ${name(WRITTEN)}`;
  return sql`case when ${ROWS} = 1 then (${key}) end`;
}
