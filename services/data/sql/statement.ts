/** The main statement of a read or a call. It returns the row of `MAIN_COLUMNS`. */
import type { ReadNode } from '../plan/read-node.ts';
import type { PlanOption } from '../request/media-type.ts';
import { type BodyFormat, bodySql, PAGE, type ResultShape } from './body.ts';
import { bareRowsSql, rowsSql } from './read.ts';
import { EMPTY, type Fragment, join, name, type SqlText, sql, toText, wholeNumber } from './sql.ts';

/** Rows of a call, under the name that the root reads from. */
export interface RowSource {
  name: string;
  rows: Fragment;
  /** Whether they are made even if none of them is read: a function may do more than return rows. */
  isVolatile?: boolean;
}

/** What is asked for besides the rows. */
export interface StatementOptions {
  format: BodyFormat;
  /** Rows where not given. */
  shape?: ResultShape;
  /**
   * How rows are counted without their limits. Not given, or `planned`: not in this statement. Of a call, `estimated` is
   * `exact`: all rows are there anyway.
   */
  count?: 'exact' | 'planned' | 'estimated' | undefined;
  source?: RowSource;
}

/**
 * The statement. Its columns are `total_count`, `page_count`, `inserted_count` and `location` (both null: nothing is
 * written), `response_headers`, `response_status`, `body`. The settings are read after all rows have been, for functions
 * in them may set these.
 */
export function readStatement(node: ReadNode, options: StatementOptions): SqlText {
  return toText(readSql(node, options));
}

/** The same, to be explained or to be a part of something. */
function readSql(node: ReadNode, options: StatementOptions): Fragment {
  const { format, shape = 'rows', source } = options;
  const rows = rowsSql(node);
  const isNamed = format.kind === 'csv';
  const tables = [
    ...(source === undefined ? [] : [sql`${name(source.name)} as (${source.rows})`]),
    // The body reads them twice.
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

/** The columns of the main statement, except those of `response.headers` and `response.status`. */
interface MainColumns {
  total: Fragment;
  page: Fragment;
  inserted: Fragment;
  location: Fragment;
  body: Fragment;
}

/** The select list of any main statement: the columns of `MAIN_COLUMNS`, in their order. */
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

/** The statement of a read, to be explained instead of being answered. It gives its own rows. */
export function explainedReadStatement(
  node: ReadNode,
  options: StatementOptions,
  explain: ExplainOptions,
): SqlText {
  return toText(explainSql(readSql(node, options), explain));
}

/** A statement, to be explained. */
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

/** Asks PostgreSQL how many rows it expects; the answer is JSON with `[0].Plan."Plan Rows"`. */
export function plannedCountStatement(node: ReadNode): SqlText {
  return toText(sql`explain (format json) ${bareRowsSql(node)}`);
}

/**
 * How many rows there are here. To count rows, PostgreSQL need not know what is in them; to count what is not null, it has
 * to call the function that they come from. What gives one value or one row counts as one.
 */
function pageSql(shape: ResultShape, isCall: boolean): Fragment {
  const count = isCall ? sql`count(${PAGE}.*)` : sql`count(*)`;
  return shape === 'row' || shape === 'scalar' ? sql`greatest(${count}, 1)` : count;
}

function totalSql(node: ReadNode, { count, shape, source }: StatementOptions, page: Fragment): Fragment {
  if (count === undefined || count === 'planned') return sql`null::bigint`;
  const { limit, offset, maxRows } = node;
  const isOne = shape === 'row' || shape === 'scalar';
  // All rows are on the page then.
  if (isOne || (limit === undefined && offset === undefined && maxRows === undefined)) return page;
  // More than one above the limit makes no difference to an estimate.
  const isCapped = count === 'estimated' && maxRows !== undefined && source === undefined;
  const cap = isCapped ? sql` limit ${wholeNumber(maxRows + 1)}` : EMPTY;
  return sql`(select count(*) from (${bareRowsSql(node)}${cap}) as "counted")`;
}

/**
 * Nothing is written that could be found somewhere. But where the rows need not be looked at, as with a limit of 0 or a
 * condition that is never true, PostgreSQL would not call the function; so all rows are looked at here.
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
