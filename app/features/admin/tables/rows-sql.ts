/**
 * Reads pages of rows by their position in the order (keyset), so that each page costs the same: the index of the order leads to its
 * first row, and nothing counts rows.
 */
import { quoteIdentifier, quoteQualified } from '../shared/sql-identifier.ts';
import type { Filter } from './filters.ts';
import { addParameter, filterConditions, type Statement } from './filters-sql.ts';
import { MAX_CELL_CHARACTERS } from './grid-rows.ts';
import type { Position } from './position.ts';
import type { Sort } from './table-address.ts';
import { columnOf, type TableColumn, type TableInfo } from './table-model.ts';

/** Characters of a value in a position. */
const MAX_POSITION_CHARACTERS = 1000;

/** Which rows to read. */
export interface RowsRequest {
  filters: readonly Filter[];
  sort: Sort | undefined;
  /** Rows after or before a position; without one, the first rows. */
  from?: { side: 'after' | 'before'; position: Position } | undefined;
  /** Number of rows to skip, for relations without a key. */
  offset?: number;
  limit: number;
}

/** Returns the columns that determine the order. Relations without a key have at most the sorted one. */
export function orderColumns(table: TableInfo, sort: Sort | undefined): TableColumn[] {
  const names = new Set([...(sort ? [sort.column] : []), ...table.key]);
  return [...names].flatMap((name) => columnOf(table, name) ?? []);
}

/** Returns the possible numbers of values of a position. */
export function positionLengths(table: TableInfo, sort: Sort | undefined): number[] {
  return [orderColumns(table, sort).length, table.key.length];
}

/**
 * Returns the statement. Its columns: `xmin` (if the relation has a key), the values of the order, then those of the grid, cut after
 * one character more than {@link MAX_CELL_CHARACTERS}. Rows before a position come in reverse order. Throws `FilterError`.
 */
export function rowsStatement(table: TableInfo, request: RowsRequest): Statement {
  const { filters, sort, from, offset = 0, limit } = request;
  const order = orderColumns(table, sort);
  const isDescending = (sort?.isDescending ?? false) !== (from?.side === 'before');
  const values: (string | null)[] = [];
  const conditions = filterConditions(table, filters, values);
  const parts = from
    ? seekParts({ table, order, position: from.position, isDescending }, values)
    : firstParts(order, isDescending);
  const selects = parts.map(({ condition, order: columns }) =>
    [
      `select ${selectList(table, order)}`,
      `from ${quoteQualified(table.schema, table.name)} as t`,
      where([...conditions, ...condition]),
      orderBy(columns, isDescending),
      `limit ${limit}`,
    ]
      .filter(Boolean)
      .join('\n'),
  );
  if (selects.length > 1)
    return { text: `${selects.map((each) => `(${each})`).join('\nunion all\n')}\nlimit ${limit}`, values };
  return { text: `${selects[0]}${offset > 0 ? ` offset ${offset}` : ''}`, values };
}

/** Returns the statement that reads the row with a key, with the columns of {@link rowsStatement}. */
export function rowStatement(table: TableInfo, sort: Sort | undefined, key: readonly string[]): Statement {
  const values: (string | null)[] = [];
  const conditions = table.key.map(
    (name, index) =>
      `t.${quoteIdentifier(name)} = ${addParameter(values, key[index] ?? null, columnOf(table, name)?.type ?? 'text')}`,
  );
  const from = `from ${quoteQualified(table.schema, table.name)} as t`;
  return {
    text: `select ${selectList(table, orderColumns(table, sort))} ${from} ${where(conditions)}`,
    values,
  };
}

/** Returns the statement that exports all rows, uncut, in the order of the grid. Throws `FilterError`. */
export function exportStatement(
  table: TableInfo,
  { filters, sort }: Pick<RowsRequest, 'filters' | 'sort'>,
): Statement {
  const values: (string | null)[] = [];
  const conditions = filterConditions(table, filters, values);
  const names = table.columns.map(({ name }) => `t.${quoteIdentifier(name)}`);
  const lines = [
    `select ${names.join(', ')}`,
    `from ${quoteQualified(table.schema, table.name)} as t`,
    where(conditions),
    orderBy(orderColumns(table, sort), sort?.isDescending ?? false),
  ];
  return { text: lines.filter(Boolean).join('\n'), values };
}

/** An expression for the value in the grid. */
function cellExpression(column: TableColumn): string {
  const name = `t.${quoteIdentifier(column.name)}`;
  const length = MAX_CELL_CHARACTERS + 1;
  // Reads only the first bytes of a long value; two characters show each of them.
  if (column.kind === 'bytea')
    return `'\\x' || encode(substring(${name} from 1 for ${Math.ceil(length / 2)}), 'hex')`;
  return column.kind === 'text' ||
    column.kind === 'json' ||
    column.kind === 'array' ||
    column.kind === 'other'
    ? `left(${name}::text, ${length})`
    : `${name}::text`;
}

function selectList(table: TableInfo, order: readonly TableColumn[]): string {
  const hasVersion = table.key.length > 0;
  const positions = order.map((column) => positionExpression(column, table.key.includes(column.name)));
  return [...(hasVersion ? ['t.xmin::text'] : []), ...positions, ...table.columns.map(cellExpression)].join(
    ', ',
  );
}

const LONG_KINDS = new Set<TableColumn['kind']>(['text', 'array', 'json', 'other', 'bytea']);

/** Too long values are null here; the grid then uses the key alone as position. Values of a key are short enough for an index. */
function positionExpression({ name, kind }: TableColumn, isKey: boolean): string {
  const value = `t.${quoteIdentifier(name)}::text`;
  if (isKey || !LONG_KINDS.has(kind)) return value;
  return `case when length(${value}) <= ${MAX_POSITION_CHARACTERS} then ${value} end`;
}

function where(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : `where ${conditions.join('\n  and ')}`;
}

/** The defaults of PostgreSQL for nulls (last, or first if descending) are those of indexes. */
function orderBy(order: readonly TableColumn[], isDescending: boolean): string {
  if (order.length === 0) return '';
  const direction = isDescending ? ' desc' : '';
  return `order by ${order.map(({ name }) => `t.${quoteIdentifier(name)}${direction}`).join(', ')}`;
}

interface Seek {
  table: TableInfo;
  order: readonly TableColumn[];
  position: Position;
  isDescending: boolean;
}

/** A part of the rows: its conditions and its order. */
interface Part {
  condition: string[];
  order: readonly TableColumn[];
}

/** Nulls are the largest values, so they are first in descending order. */
function firstParts(order: readonly TableColumn[], isDescending: boolean): Part[] {
  const [first] = order;
  if (first?.isNullable !== true || !isDescending) return [{ condition: [], order }];
  return [nullPart(order), { condition: [`t.${quoteIdentifier(first.name)} is not null`], order }];
}

/** The order of equal values is that of the key alone, for which PostgreSQL can use the index of the key. */
function nullPart(order: readonly TableColumn[], more: readonly string[] = []): Part {
  const name = `t.${quoteIdentifier(order[0]?.name ?? '')}`;
  return { condition: [`${name} is null`, ...more], order: order.slice(1) };
}

/**
 * Returns one or two parts that follow each other: a comparison of rows finds none with nulls. A condition with `or` could not use an
 * index to find the first row.
 */
function seekParts(seek: Seek, values: (string | null)[]): Part[] {
  const { table, order, position, isDescending } = seek;
  const [first] = order;
  if (first === undefined) return [{ condition: [], order }];
  const isLookedUp = position.length < order.length;
  if (first.isNullable && !isLookedUp && position[0] === null) {
    const later = nullPart(order, rowComparison(order.slice(1), position.slice(1), isDescending, values));
    const others = { condition: [`t.${quoteIdentifier(first.name)} is not null`], order };
    return isDescending ? [later, others] : [later];
  }
  const condition = isLookedUp
    ? lookedUpComparison(table, order, { position, isDescending }, values)
    : rowComparison(order, position, isDescending, values);
  const compared = { condition, order };
  return first.isNullable && !isDescending ? [compared, nullPart(order)] : [compared];
}

function rowComparison(
  columns: readonly TableColumn[],
  position: Position,
  isDescending: boolean,
  values: (string | null)[],
): string[] {
  if (columns.length === 0) return ['false'];
  const names = columns.map(({ name }) => `t.${quoteIdentifier(name)}`);
  const parameters = columns.map(({ type }, index) => addParameter(values, position[index] ?? null, type));
  const operator = isDescending ? '<' : '>';
  return names.length === 1
    ? [`${names[0]} ${operator} ${parameters[0]}`]
    : [`(${names.join(', ')}) ${operator} (${parameters.join(', ')})`];
}

/** The position has only the key: the value of the sorted column is that of the row with this key. */
function lookedUpComparison(
  table: TableInfo,
  order: readonly TableColumn[],
  { position, isDescending }: Pick<Seek, 'position' | 'isDescending'>,
  values: (string | null)[],
): string[] {
  const [first, ...rest] = order;
  if (first === undefined) return [];
  const byKey = table.key.map((key, index) => {
    const parameter = addParameter(values, position[index] ?? null, columnOf(table, key)?.type ?? 'text');
    return `p.${quoteIdentifier(key)} = ${parameter}`;
  });
  const from = `from ${quoteQualified(table.schema, table.name)} as p where ${byKey.join(' and ')}`;
  const names = order.map(({ name }) => `t.${quoteIdentifier(name)}`);
  const parameters = rest.map(({ name, type }) =>
    addParameter(values, position[table.key.indexOf(name)] ?? null, type),
  );
  const bounds = [`(select p.${quoteIdentifier(first.name)} ${from})`, ...parameters];
  return [`(${names.join(', ')}) ${isDescending ? '<' : '>'} (${bounds.join(', ')})`];
}
