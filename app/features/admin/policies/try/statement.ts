/** The statement to try: composed from a form, or written as SQL. It is one query or change of rows, never the end of a transaction. */
import { SqlTextError, splitStatements } from '@greenroom/project/sql/split';
import { quoteIdentifier, quoteQualified } from '../../shared/sql-identifier.ts';
import type { TableName, Verb } from '../access/model.ts';

/** A statement with the values of its parameters. */
export interface Statement {
  sql: string;
  parameters: readonly (string | null)[];
}

/** The fields of the form. */
export interface StatementForm {
  verb: Verb;
  /** SQL; empty for all rows. */
  condition: string;
  /** New values by column, as PostgreSQL's texts. */
  values: Readonly<Record<string, string | null>>;
  returnsRows: boolean;
}

/** A column of the table. */
interface ColumnType {
  name: string;
  type: string;
}

/** The SQL cannot be tried. */
export class StatementError extends Error {
  override readonly name = 'StatementError';
  readonly reason: 'not-one' | 'not-rows' | 'unreadable' | 'values' | 'no-values';

  constructor(reason: StatementError['reason'], message: string = reason) {
    super(message);
    this.reason = reason;
  }
}

/** Rows of a result and of an explanation. */
export const MAX_ROWS = 50;

/** First words of statements that only read or change rows. */
const ALLOWED = new Set(['select', 'insert', 'update', 'delete', 'with', 'values', 'table', 'merge']);

/** Checks that SQL is one statement that reads or changes rows. Returns its first word. Throws {@link StatementError}. */
export function requireOneStatement(sql: string): string {
  const statements = statementsOf(sql);
  const [first, ...others] = statements;
  if (first === undefined || others.length > 0) throw new StatementError('not-one');
  const word = first.words[0] ?? firstWordOf(first.text.slice(first.codeOffset));
  if (!ALLOWED.has(word)) throw new StatementError('not-rows');
  return word;
}

/** A query may begin with a parenthesis. */
function firstWordOf(code: string): string {
  return /^[(\s]*([a-z]+)/i.exec(code)?.[1]?.toLowerCase() ?? '';
}

function statementsOf(sql: string) {
  try {
    return splitStatements(sql).filter(({ text, codeOffset }) => codeOffset < text.length);
  } catch (error) {
    if (error instanceof SqlTextError) throw new StatementError('unreadable', error.message);
    throw error;
  }
}

/** Returns the statement of a form. Throws {@link StatementError}. */
export function composeStatement(
  table: TableName,
  { verb, condition, values, returnsRows }: StatementForm,
): Statement {
  const target = quoteQualified(table.schema, table.name);
  const where = conditionSql(condition);
  const returning = returnsRows ? '\nreturning *' : '';
  const { columns, parameters } = splitValues(values);
  const statements: Record<Verb, () => Statement> = {
    select: () => ({ sql: `select * from ${target}${where}\nlimit ${MAX_ROWS}`, parameters: [] }),
    insert: () => ({ sql: `insert into ${target}${valuesSql(columns)}${returning}`, parameters }),
    update: () => ({ sql: `update ${target} set ${setSql(columns)}${where}${returning}`, parameters }),
    delete: () => ({ sql: `delete from ${target}${where}${returning}`, parameters: [] }),
  };
  const statement = statements[verb]();
  requireOneStatement(statement.sql);
  return statement;
}

/**
 * Returns the statement with which the owner of the database, to whom no policy applies, reads or writes the rows that the
 * statement of a form concerns. Each row of the result has the row before and after, as PostgreSQL's text, or null.
 */
export function composeProbe(table: TableName, form: StatementForm): Statement {
  const target = quoteQualified(table.schema, table.name);
  const alias = quoteIdentifier(table.name);
  const where = conditionSql(form.condition);
  const { columns, parameters } = splitValues(form.values);
  const after = `(${alias}.*)::text`;
  const reads = {
    sql: `select ${after}, null from ${target} as ${alias}${where}\nlimit ${MAX_ROWS + 1}`,
    parameters: [],
  };
  const probes: Record<Verb, () => Statement> = {
    select: () => reads,
    delete: () => reads,
    insert: () => ({
      sql: `insert into ${target} as ${alias}${valuesSql(columns)}\nreturning null, ${after}`,
      parameters,
    }),
    // The values are parameters, so no name in them is ambiguous.
    update: () => ({
      sql: `update ${target} as ${alias} set ${setSql(columns)}
from (
  select ${alias}.tableoid as greenroom_table, ${alias}.ctid as greenroom_row, ${after} as greenroom_text
  from ${target} as ${alias}${where}
  limit ${MAX_ROWS + 1}
) greenroom_before
where ${alias}.tableoid = greenroom_table and ${alias}.ctid = greenroom_row
returning greenroom_text, ${after}`,
      parameters,
    }),
  };
  const probe = probes[form.verb]();
  requireOneStatement(probe.sql);
  return probe;
}

/** Returns the statement that evaluates expressions of policies for rows, as the role: `$1` is an array of rows. */
export function composeEvaluation(table: TableName, expressions: readonly string[]): string {
  const alias = quoteIdentifier(table.name);
  const results = expressions.map((expression, index) => `(${expression}) is true as greenroom_${index}`);
  const type = quoteQualified(table.schema, table.name);
  return `select ${[...results, `${alias}.*`].join(', ')} from unnest($1::${type}[]) as ${alias}`;
}

/** Returns the text of an array of texts. */
export function arrayText(texts: readonly string[]): string {
  return `{${texts.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}

/** Parses new values, a JSON object. Throws {@link StatementError} for other JSON. */
export function parseValues(
  text: string,
  columns: readonly ColumnType[],
): Readonly<Record<string, string | null>> {
  if (text.trim() === '') return {};
  const parsed = parseObject(text);
  return Object.fromEntries(
    Object.entries(parsed).map(([name, value]) => {
      const column = columns.find((candidate) => candidate.name === name);
      return [name, textOf(value, column?.type ?? '')];
    }),
  );
}

function parseObject(text: string): object {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed;
  } catch {
    // The error below.
  }
  throw new StatementError('values');
}

function textOf(value: unknown, type: string): string | null {
  if (value === null) return null;
  if (Array.isArray(value) && type.endsWith('[]'))
    return `{${value.map((item) => (item === null ? 'null' : arrayText([String(item)]).slice(1, -1))).join(',')}}`;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function splitValues(values: StatementForm['values']) {
  return { columns: Object.keys(values), parameters: Object.values(values) };
}

function valuesSql(columns: readonly string[]): string {
  if (columns.length === 0) return ' default values';
  const places = columns.map((_, index) => `$${index + 1}`);
  return ` (${columns.map(quoteIdentifier).join(', ')}) values (${places.join(', ')})`;
}

function setSql(columns: readonly string[]): string {
  if (columns.length === 0) throw new StatementError('no-values');
  return columns.map((name, index) => `${quoteIdentifier(name)} = $${index + 1}`).join(', ');
}

/** The line break ends a comment in the condition. */
function conditionSql(condition: string): string {
  return condition.trim() === '' ? '' : `\nwhere (${condition}\n)`;
}
