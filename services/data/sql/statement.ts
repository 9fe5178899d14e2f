/** The main statement of a read or a call. It returns one row with the columns of `MAIN_COLUMNS`. */
import { returnsEachRow } from '../plan/plain-rows.ts';
import type { ReadNode } from '../plan/read-node.ts';
import type { PlanOption } from '../request/media-type.ts';
import { type BodyFormat, bodySql, PAGE, type ResultShape } from './body.ts';
import { bareRowsSql, limitSql, rowsSql } from './read.ts';
import { EMPTY, type Fragment, integer, join, name, parameter, type SqlText, sql, toText } from './sql.ts';

/** The rows of a call, as a CTE that the root node reads from. */
export interface RowSource {
  name: string;
  rows: Fragment;
  /** Whether the function must run even if none of its rows are read, because it may have side effects. */
  isVolatile?: boolean;
}

/** Options of {@link readStatement}. */
export interface StatementOptions {
  format: BodyFormat;
  /** `rows` by default. */
  shape?: ResultShape;
  /**
   * How to count the rows without limits. This statement does not count for undefined and `planned`. For a call,
   * `estimated` counts exactly, since the function returns all rows anyway.
   */
  count?: 'exact' | 'planned' | 'estimated' | undefined;
  source?: RowSource;
}

/**
 * Returns the statement. Its columns are `total_count`, `page_count`, `inserted_count` and `location` (both null
 * because nothing is written), `response_headers`, `response_status`, `body`. It reads the response settings after all
 * rows, because functions that the rows call may set them.
 */
export function readStatement(node: ReadNode, options: StatementOptions): SqlText {
  return toText(readSql(node, options));
}

function readSql(node: ReadNode, options: StatementOptions): Fragment {
  const { format, shape = 'rows', source } = options;
  const rows = rowsSql(node);
  const isNamed = format.kind === 'csv';
  const tables = [
    ...(source === undefined ? [] : [sql`${name(source.name)} as (${source.rows})`]),
    // The CSV body reads the rows twice: for the header and for the lines.
    ...(isNamed ? [sql`${PAGE} as (${rows})`] : []),
  ];
  const page = pageSql(shape, source !== undefined);
  const columns = mainColumnsSql({
    total: totalSql(node, options, page),
    page,
    inserted: sql`null::bigint`,
    location: locationSql(node, source),
    body: bodySql(format, shape),
  });
  const before = tables.length === 0 ? EMPTY : sql`with ${join(tables, ', ')} `;
  const from = isNamed ? PAGE : sql`(${rows}) as ${PAGE}`;
  return sql`${before}select ${columns} from ${from}`;
}

/** The columns of the main statement, except the settings `response.headers` and `response.status`. */
interface MainColumns {
  total: Fragment;
  page: Fragment;
  inserted: Fragment;
  location: Fragment;
  body: Fragment;
}

/** Returns the select list of a main statement: the columns of `MAIN_COLUMNS`, in order. */
export function mainColumnsSql({ total, page, inserted, location, body }: MainColumns): Fragment {
  const columns = [
    sql`${total} as total_count`,
    sql`${page} as page_count`,
    sql`${inserted} as inserted_count`,
    sql`${location} as location`,
    sql`nullif(current_setting('response.headers', true), '') as response_headers`,
    sql`nullif(current_setting('response.status', true), '') as response_status`,
    sql`${body} as body`,
  ];
  return join(columns, ', ');
}

/** The options of `EXPLAIN`: `application/vnd.pgrst.plan`. */
export interface ExplainOptions {
  format: 'text' | 'json';
  options: readonly PlanOption[];
}

/** Returns the EXPLAIN statement of a read. Its rows are the lines of the plan. */
export function explainedReadStatement(
  node: ReadNode,
  options: StatementOptions,
  explain: ExplainOptions,
): SqlText {
  return toText(explainSql(readSql(node, options), explain));
}

/** Wraps a statement in EXPLAIN. */
export function explainSql(statement: Fragment, { format, options }: ExplainOptions): Fragment {
  const words = [
    format === 'text' ? sql`format text` : sql`format json`,
    ...options.map((each) => PLAN_WORDS[each]),
  ];
  return sql`explain (${join(words, ', ')}) ${statement}`;
}

const PLAN_WORDS: Readonly<Record<PlanOption, Fragment>> = {
  analyze: sql`analyze`,
  verbose: sql`verbose`,
  settings: sql`settings`,
  buffers: sql`buffers`,
  wal: sql`wal`,
};

/** Returns a statement for the planner's estimate of the row count: JSON with `[0].Plan."Plan Rows"`. */
export function plannedCountStatement(node: ReadNode): SqlText {
  return toText(sql`explain (format json) ${bareRowsSql(node)}`);
}

/**
 * Counts the rows of the page. For a call, it counts non-null rows, which forces PostgreSQL to call the function;
 * `count(*)` would not need the contents of the rows. A single value or row counts as one even if it is null.
 */
function pageSql(shape: ResultShape, isCall: boolean): Fragment {
  const count = isCall ? sql`count(${PAGE}.*)` : sql`count(*)`;
  return shape === 'row' || shape === 'scalar' ? sql`greatest(${count}, 1)` : count;
}

function totalSql(node: ReadNode, { count, shape, source }: StatementOptions, page: Fragment): Fragment {
  if (count === undefined || count === 'planned') return sql`null::bigint`;
  const { limit, offset, maxRows } = node;
  const isOne = shape === 'row' || shape === 'scalar';
  // Without limits, the page has all rows.
  if (isOne || (limit === undefined && offset === undefined && maxRows === undefined)) return page;
  // An estimate only needs to know whether there are more rows than the limit.
  const maxCount =
    count === 'estimated' && maxRows !== undefined && source === undefined ? maxRows + 1 : undefined;
  const cap = maxCount === undefined ? EMPTY : sql` limit ${integer(maxCount)}`;
  const counted = sql`(select count(*) from (${bareRowsSql(node)}${cap}) as "counted")`;
  return returnsEachRow(node) ? pageTotalSql(node, page, maxCount, counted) : counted;
}

/**
 * Derives the total from a page that ends with the last row: it is shorter than the limit, and not empty unless it begins
 * with the first row. PostgreSQL runs the subquery `counted` only if it needs that branch of CASE. For a full page, one
 * scan for both, by a window function or a materialized CTE, takes longer than the subquery: it stores all rows.
 */
function pageTotalSql(
  node: ReadNode,
  page: Fragment,
  maxCount: number | undefined,
  counted: Fragment,
): Fragment {
  const limit = limitSql(node);
  const isLast = [
    ...(limit === undefined ? [] : [sql`${page} < ${limit}`]),
    ...(node.offset === undefined ? [] : [sql`${page} > 0`]),
  ];
  const last = node.offset === undefined ? page : sql`${parameter(node.offset)} + ${page}`;
  const total = maxCount === undefined ? last : sql`least(${last}, ${integer(maxCount)})`;
  return sql`case when ${join(isLast, ' and ')} then ${total} else ${counted} end`;
}

/**
 * A read has no location, so the column is always null. For a volatile function, its expression reads all rows of the call:
 * with a limit of 0 or a condition that is never true, PostgreSQL would otherwise not call the function.
 */
function locationSql(node: ReadNode, source: RowSource | undefined): Fragment {
  const { conditions, limit, offset, embeds } = node;
  const mayReadNone =
    conditions.length > 0 ||
    limit !== undefined ||
    offset !== undefined ||
    embeds.some(({ isInner }) => isInner);
  if (source?.isVolatile !== true || !mayReadNone) return sql`null::text`;
  return sql`(select max(null::text) from ${name(source.name)})`;
}
