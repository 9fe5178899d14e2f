/** The statements of a write. The main one returns the row of `MAIN_COLUMNS`. */
import { neededColumns } from '../plan/needed-columns.ts';
import type { ReadNode } from '../plan/read-node.ts';
import { WRITTEN, type WritePlan } from '../plan/write-plan.ts';
import { type BodyFormat, bodySql, PAGE } from './body.ts';
import { countsMerge, insertSql, MERGE_COUNT, mutationSql } from './mutation.ts';
import { rowsSql } from './read.ts';
import { EMPTY, type Fragment, join, name, type SqlText, sql, toText } from './sql.ts';
import { type ExplainOptions, explainSql, mainColumnsSql, type StatementOptions } from './statement.ts';

/** The main statement, and where it reads no rows, the mutation in front of it. */
interface WriteStatements {
  write?: SqlText;
  main: SqlText;
}

/** What is asked for besides the rows. */
export interface WriteOptions {
  /** Counts with `return=representation` only; the others have no body. */
  format: BodyFormat;
  /** Not given, or `planned`: no total. */
  count?: StatementOptions['count'];
}

/**
 * The statements. An insert whose rows are neither returned nor counted is a statement of its own: returning a thousand rows
 * just to count them costs a tenth of inserting them.
 */
export function writeStatements(plan: WritePlan, node: ReadNode, options: WriteOptions): WriteStatements {
  if (!skipsCounting(plan, options)) return { main: writeStatement(plan, node, options) };
  return { write: toText(insertSql(plan)), main: EMPTY_OUTCOME };
}

/** Whether the number of rows matters neither to the client, nor to the status, nor to a check for one row. */
function skipsCounting(plan: WritePlan, { format, count }: WriteOptions): boolean {
  const isCounted = count === 'exact' || count === 'estimated' || plan.resolution === 'merge-duplicates';
  return plan.kind === 'insert' && plan.return === 'minimal' && format.kind !== 'object' && !isCounted;
}

/** Zero rows, and the settings of the answer that triggers have set. */
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
 * The statement. Its columns are `total_count` and `page_count`, the rows that are written; `inserted_count`, of an upsert
 * the rows that were not there before; `location`, the primary key of an inserted row as a JSON array of texts; `response_headers`, `response_status`, `body`.
 *
 * @param node a read of {@link WRITTEN} with `isWrite`
 */
export function writeStatement(plan: WritePlan, node: ReadNode, options: WriteOptions): SqlText {
  return toText(writeSql(plan, node, options));
}

/** The statement, to be explained instead of being answered. With `analyze`, it is run all the same. */
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
 * Rows are counted in subqueries of their own, and settings are read from above them: by then all rows are written, also
 * where what is shown needs none of them. Triggers that come after the statement have not run yet.
 */
function writeSql(plan: WritePlan, node: ReadNode, { format, count }: WriteOptions): Fragment {
  const isShown = plan.return === 'representation' && format.kind !== 'none';
  const tables = [
    sql`${name(WRITTEN)} as (${mutationSql(plan, returnedColumns(plan, node))})`,
    // The body reads them twice.
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

/** What is shown needs, and what {@link locationSql} does. Nothing else, for one may need a privilege to read it. */
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

/** Of one object that is wanted, there must be one that is written, and an embed must not leave it out. */
function pageSql({ kind }: WritePlan, isObject: boolean): Fragment {
  if (!isObject || kind === 'put') return ROWS;
  return sql`case when ${ROWS} = 1 then "shown"."rows" else ${ROWS} end`;
}

function insertedSql(plan: WritePlan): Fragment {
  if (plan.resolution !== 'merge-duplicates') return sql`null::bigint`;
  // A trigger may have kept a row from being inserted.
  return countsMerge(plan) ? sql`least(coalesce(${MERGE_COUNT}, 0), ${ROWS})` : ROWS;
}

function returnsLocation(plan: WritePlan): boolean {
  return plan.kind === 'insert' && plan.return === 'headers-only' && plan.relation.primaryKey.length > 0;
}

/** The values of the primary key, as text, in the order of its columns. */
function locationSql(plan: WritePlan): Fragment {
  if (!returnsLocation(plan)) return sql`null::text`;
  const values = plan.relation.primaryKey.map((column) => sql`${name(WRITTEN, column)}::text`);
  const key = sql`select json_build_array(${join(values, ', ')})::text from ${name(WRITTEN)}`;
  return sql`case when ${ROWS} = 1 then (${key}) end`;
}
