/**
 * Statements that change rows, and those that undo the changes. A row is found by its key and its version (`xmin`), so a row that was
 * changed meanwhile is never overwritten.
 */
import { quoteIdentifier, quoteQualified } from '../shared/sql-identifier.ts';
import { arrayLiteral } from './array-literal.ts';
import { addParameter, type Statement } from './filters-sql.ts';
import { quoteLiteral } from './sql-literal.ts';
import { columnOf, type TableInfo } from './table-model.ts';

/** A value to store: a text in PostgreSQL's form, null, or the column's default. */
export type NewValue = string | null | { default: true };

/** New values by column. */
export type NewValues = Readonly<Record<string, NewValue>>;

/** The key and the version of a row. */
export interface RowVersion {
  key: readonly string[];
  xmin: string;
}

/** A row as texts, by column. */
export type StoredRow = Readonly<Record<string, string | null>>;

/** The change names a column that does not exist or cannot be written. */
export class ColumnError extends Error {
  override readonly name = 'ColumnError';

  constructor(column: string) {
    super(`The column “${column}” does not exist, or the database determines its values.`);
  }
}

/** Returns the statement that changes columns of a row; it returns the new version (null for partitioned tables) and the whole row. */
export function updateStatement(table: TableInfo, row: RowVersion, changes: NewValues): Statement {
  const values: (string | null)[] = [];
  const assignments = writtenColumns(table, changes).map(
    ([name, value, type]) => `${quoteIdentifier(name)} = ${valueSql(value, type, values)}`,
  );
  return {
    text: `update ${nameOf(table)} as t set ${assignments.join(', ')}
where ${keyCondition(table, row.key, values)} and t.xmin::text = ${addParameter(values, row.xmin, 'text')}
returning ${returnedRow(table)}`,
    values,
  };
}

/** Returns the statement that inserts a row; it returns its version and the whole row. Columns without a value get their defaults. */
export function insertStatement(table: TableInfo, row: NewValues): Statement {
  const values: (string | null)[] = [];
  const columns = writtenColumns(table, row);
  const target = `insert into ${nameOf(table)} as t`;
  const returning = `returning ${returnedRow(table)}`;
  if (columns.length === 0) return { text: `${target} default values ${returning}`, values };
  const names = columns.map(([name]) => quoteIdentifier(name)).join(', ');
  const list = columns.map(([, value, type]) => valueSql(value, type, values)).join(', ');
  return { text: `${target} (${names}) values (${list}) ${returning}`, values };
}

/** Returns the statement that deletes rows with these versions; it returns the deleted rows. */
export function deleteStatement(table: TableInfo, rows: readonly RowVersion[]): Statement {
  const values: (string | null)[] = [];
  const arrays = table.key.map((_, index) =>
    addParameter(values, arrayLiteral(rows.map(({ key }) => key[index] ?? null)), 'text[]'),
  );
  const versions = addParameter(values, arrayLiteral(rows.map(({ xmin }) => xmin)), 'text[]');
  const names = [...table.key.map((_, index) => `k${index}`), 'version'];
  const conditions = table.key.map(
    (key, index) => `t.${quoteIdentifier(key)} = w.k${index}::${columnOf(table, key)?.type ?? 'text'}`,
  );
  return {
    text: `delete from ${nameOf(table)} as t
using unnest(${[...arrays, versions].join(', ')}) as w (${names.join(', ')})
where ${conditions.join(' and ')} and t.xmin::text = w.version
returning ${returnedRow(table)}`,
    values,
  };
}

/** Returns the statement that reads a row, or one value of it, as whole texts with its version. */
export function readStatement(table: TableInfo, key: readonly string[]): Statement {
  const values: (string | null)[] = [];
  return {
    text: `select ${wholeRow(table)} from ${nameOf(table)} as t where ${keyCondition(table, key, values)}`,
    values,
  };
}

/** Returns the statement that reads one whole value. */
export function valueStatement(table: TableInfo, key: readonly string[], column: string): Statement {
  const values: (string | null)[] = [];
  const name = quoteIdentifier(requireColumn(table, column).name);
  return {
    text: `select t.xmin::text, t.${name}::text from ${nameOf(table)} as t where ${keyCondition(table, key, values)}`,
    values,
  };
}

/** Returns the statement that inserts rows, given as one array for each column; it returns the transaction and the number of rows. */
export function importStatement(
  table: TableInfo,
  columns: readonly string[],
  rows: readonly (readonly (string | null)[])[],
): Statement {
  const values: (string | null)[] = [];
  const targets = columns.map((name) => requireColumn(table, name));
  const arrays = targets.map((_, index) =>
    addParameter(values, arrayLiteral(rows.map((row) => row[index] ?? null)), 'text[]'),
  );
  const names = targets.map(({ name }) => quoteIdentifier(name)).join(', ');
  const overriding = targets.some(({ isIdentity }) => isIdentity) ? ' overriding system value' : '';
  return {
    text: `with inserted as (
  insert into ${nameOf(table)} (${names})${overriding}
  select ${targets.map(({ type }, index) => `v.c${index}::${type}`).join(', ')}
  from unnest(${arrays.join(', ')}) with ordinality as v (${targets.map((_, index) => `c${index}`).join(', ')}, line)
  order by v.line
  returning 1)
select pg_current_xact_id()::xid::text, count(*)::text from inserted`,
    values,
  };
}

/** SQL that restores the values of a changed row, unless it was changed again. */
export function undoUpdate(table: TableInfo, before: StoredRow, after: RowVersion): string {
  const changed = Object.entries(before).map(
    ([name, value]) => `${quoteIdentifier(name)} = ${typedLiteral(table, name, value)}`,
  );
  return `update ${nameOf(table)} as t set ${changed.join(', ')} where ${versionCondition(table, after)}`;
}

/** SQL that deletes an inserted row, unless it was changed. */
export function undoInsert(table: TableInfo, row: RowVersion): string {
  return `delete from ${nameOf(table)} as t where ${versionCondition(table, row)}`;
}

/** SQL that inserts deleted rows. */
export function undoDelete(table: TableInfo, rows: readonly StoredRow[]): string {
  const columns = table.columns.filter(({ isGenerated, isIdentity }) => !isGenerated || isIdentity);
  const lists = rows.map(
    (row) => `(${columns.map(({ name }) => typedLiteral(table, name, row[name] ?? null)).join(', ')})`,
  );
  const overriding = columns.some(({ isIdentity }) => isIdentity) ? ' overriding system value' : '';
  const names = columns.map(({ name }) => quoteIdentifier(name)).join(', ');
  return `insert into ${nameOf(table)} (${names})${overriding} values\n${lists.join(',\n')}`;
}

/** SQL that deletes the rows that transactions of an import inserted, unless they were changed. */
export function undoImport(table: TableInfo, transactions: readonly string[]): string {
  const list = transactions.map((each) => quoteLiteral(each)).join(', ');
  return `delete from ${nameOf(table)} as t where t.xmin::text in (${list})`;
}

function nameOf({ schema, name }: TableInfo): string {
  return quoteQualified(schema, name);
}

function wholeRow(table: TableInfo): string {
  return ['t.xmin::text', ...wholeValues(table)].join(', ');
}

/** PostgreSQL cannot return the version of a row of a partitioned table; it must be read again. */
function returnedRow(table: TableInfo): string {
  const version = table.kind === 'partitioned' ? 'null::text' : 't.xmin::text';
  return [version, ...wholeValues(table)].join(', ');
}

function wholeValues({ columns }: TableInfo): string[] {
  return columns.map(({ name }) => `t.${quoteIdentifier(name)}::text`);
}

function keyCondition(table: TableInfo, key: readonly string[], values: (string | null)[]): string {
  if (table.key.length === 0 || key.length !== table.key.length) throw new ColumnError('');
  return table.key
    .map((name, index) => {
      const parameter = addParameter(values, key[index] ?? '', requireType(table, name));
      return `t.${quoteIdentifier(name)} = ${parameter}`;
    })
    .join(' and ');
}

function versionCondition(table: TableInfo, { key, xmin }: RowVersion): string {
  const conditions = table.key.map(
    (name, index) => `t.${quoteIdentifier(name)} = ${typedLiteral(table, name, key[index] ?? null)}`,
  );
  return [...conditions, `t.xmin::text = ${quoteLiteral(xmin)}`].join(' and ');
}

function typedLiteral(table: TableInfo, name: string, value: string | null): string {
  return `${quoteLiteral(value)}::${requireType(table, name)}`;
}

function requireType(table: TableInfo, name: string): string {
  const column = columnOf(table, name);
  if (column === undefined) throw new ColumnError(name);
  return column.type;
}

function requireColumn(table: TableInfo, name: string) {
  const column = columnOf(table, name);
  if (column === undefined) throw new ColumnError(name);
  return column;
}

function writtenColumns(table: TableInfo, row: NewValues): [name: string, value: NewValue, type: string][] {
  return Object.entries(row).map(([name, value]) => {
    const column = requireColumn(table, name);
    const isDefault = typeof value === 'object' && value !== null;
    if (column.isGenerated && !isDefault) throw new ColumnError(name);
    return [name, value, column.type];
  });
}

function valueSql(value: NewValue, type: string, values: (string | null)[]): string {
  return typeof value === 'object' && value !== null ? 'default' : addParameter(values, value, type);
}
