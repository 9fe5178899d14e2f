/**
 * Compiles one condition of a filter for one column. PostgreSQL validates the operand and converts it to the canonical
 * text of the type once; then the condition is evaluated for many values. Common types are compared in this process,
 * all others by PostgreSQL. A result of null counts as false.
 */
import type { Statement } from '@greenroom/postgres';
import type { FeedDatabase } from '../database.ts';
import { sqlStateOf } from '../database.ts';
import type { CatalogColumn } from './catalog.ts';
import type { Condition, Operator } from './parse.ts';

/** The text of a value of the column. */
type Value = string | null;

/** A condition that is ready for evaluation. */
export interface CompiledCondition {
  column: string;
  /** Equal for conditions that always have the same result. */
  key: string;
  /** Evaluates one value in this process; undefined if PostgreSQL has to evaluate the condition. */
  test: ((value: Value) => boolean) | undefined;
  /** Evaluates many values in PostgreSQL with one batch. Resolves with the results in the order of the values. */
  evaluate(database: FeedDatabase, values: readonly Value[]): Promise<boolean[]>;
}

/** The value or the operator of a condition is invalid for the column. */
export class ConditionError extends Error {
  override readonly name = 'ConditionError';
  readonly sqlState: string;

  constructor(sqlState: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.sqlState = sqlState;
  }
}

const RAISED = 'P0001';
const MAX_IN_VALUES = 100;
const BOOL = 16;
const TEXT = 25;
const INTEGERS = [20, 21, 23];
/** Types whose values are equal if and only if their texts are: bool, int8, int2, int4, text, varchar, uuid. */
const EQUAL_AS_TEXT = [BOOL, ...INTEGERS, TEXT, 1043, 2950];
const KEYWORDS = ['null', 'true', 'false', 'unknown'];

/** Compiles a condition. Rejects with {@link ConditionError}, and with errors of the connection. */
export async function compileCondition(
  database: FeedDatabase,
  column: CatalogColumn,
  condition: Condition,
): Promise<CompiledCondition> {
  checkOperator(column, condition);
  const operand = await readOperand(database, column, condition);
  const { operator, isNegated } = condition;
  const test = testInProcess(column, operator, operand);
  return {
    column: condition.column,
    key: JSON.stringify([column.name, column.typeOid, column.collation, operator, isNegated, operand]),
    test: test && ((value) => (isTotal(operator) || value !== null) && test(value) !== isNegated),
    evaluate: (target, values) => evaluate(target, column, condition, operand, values),
  };
}

/** Whether an operator returns true or false for null, too. */
function isTotal(operator: Operator): boolean {
  return operator === 'is' || operator === 'isdistinct';
}

function checkOperator(column: CatalogColumn, { operator, value }: Condition): void {
  if (operator === 'is') {
    if (!KEYWORDS.includes(value)) {
      throw new ConditionError(RAISED, 'invalid value for is filter: must be null, true, false, or unknown');
    }
    if (value !== 'null' && column.baseTypeOid !== BOOL) {
      throw new ConditionError(
        RAISED,
        `is ${value} filter requires a boolean column, got ${column.typeText}`,
      );
    }
  }
  const isLike = operator === 'like' || operator === 'ilike';
  const isRegex = operator === 'match' || operator === 'imatch';
  if ((isLike && !column.hasLike) || (isRegex && !column.hasRegex)) {
    throw new ConditionError(
      RAISED,
      `operator ${operator} requires a text-compatible column type, got ${column.typeText}`,
    );
  }
  if (operator === 'in' && column.arrayOid === 0) {
    throw new ConditionError(RAISED, `operator in cannot be used with the column type ${column.typeText}`);
  }
}

/** Validates the operand and returns it as the canonical text of the column's type; a list for `in`. */
async function readOperand(
  database: FeedDatabase,
  column: CatalogColumn,
  { operator, value }: Condition,
): Promise<string | (string | null)[]> {
  if (value.includes('\0'))
    throw new ConditionError('22021', 'invalid byte sequence for encoding "UTF8": 0x00');
  switch (operator) {
    case 'is':
      return value;
    case 'in':
      return readList(database, column, value);
    case 'match':
    case 'imatch':
      await checkRegex(database, operator, value);
      return value;
    case 'like':
    case 'ilike':
      await queryOperand(database, { text: `select '' ${operator} $1`, values: [value], types: [TEXT] });
      return value;
    default: {
      const [row] = await queryOperand<{ text: string }>(database, {
        text: 'select $1::text as text',
        values: [value],
        types: [column.typeOid],
      });
      return outputText(column, row?.text ?? value);
    }
  }
}

async function readList(
  database: FeedDatabase,
  column: CatalogColumn,
  value: string,
): Promise<(string | null)[]> {
  const [row] = await queryOperand<{ items: (string | null)[] }>(database, {
    text: 'select array(select item::text from pg_catalog.unnest($1) as item) as items',
    values: [value],
    types: [column.arrayOid],
  });
  const items = row?.items ?? [];
  if (items.length > MAX_IN_VALUES) {
    throw new ConditionError(RAISED, `too many values for \`in\` filter. Maximum ${MAX_IN_VALUES}`);
  }
  return items.map((item) => (item === null ? null : outputText(column, item)));
}

/** Converts a cast to text to the form in the log: the cast of a boolean is `true`, the log has `t`. */
function outputText({ typeOid }: CatalogColumn, text: string): string {
  return typeOid === BOOL ? text.charAt(0) : text;
}

async function checkRegex(database: FeedDatabase, operator: Operator, value: string): Promise<void> {
  try {
    await queryOperand(database, { text: "select '' ~ $1", values: [value], types: [TEXT] });
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
    const message = `invalid regular expression for ${operator} filter: ${error.message}`;
    throw new ConditionError(RAISED, message, { cause: error });
  }
}

/** Runs a query. Converts PostgreSQL's errors about the client's value to {@link ConditionError}. */
async function queryOperand<Row = Record<string, unknown>>(
  database: FeedDatabase,
  statement: Statement,
): Promise<Row[]> {
  try {
    return await database.query<Row>(statement);
  } catch (error) {
    const code = sqlStateOf(error);
    const isAboutValue = code !== undefined && /^(22|23|42|54|57014)/.test(code);
    if (!isAboutValue) throw error;
    throw new ConditionError(code, (error as Error).message, { cause: error });
  }
}

/**
 * Returns a test without negation; undefined if only PostgreSQL can evaluate the condition. The test receives null only
 * for total operators.
 */
function testInProcess(
  column: CatalogColumn,
  operator: Operator,
  operand: string | (string | null)[],
): ((value: Value) => boolean) | undefined {
  if (operator === 'is') return isTest(operand as string);
  if (Array.isArray(operand)) {
    // In SQL, a value that is not in a list with null results in null.
    if (!isEqualAsText(column) || operand.includes(null)) return undefined;
    const items = new Set(operand);
    return (value) => items.has(value);
  }
  if (isEqualAsText(column)) {
    if (operator === 'eq') return (value) => value === operand;
    if (operator === 'neq' || operator === 'isdistinct') return (value) => value !== operand;
  }
  return INTEGERS.includes(column.typeOid) ? integerTest(operator, BigInt(operand)) : undefined;
}

function isEqualAsText({ typeOid, isDeterministic }: CatalogColumn): boolean {
  return EQUAL_AS_TEXT.includes(typeOid) && isDeterministic;
}

function isTest(keyword: string): (value: Value) => boolean {
  if (keyword === 'true') return (value) => value === 't';
  if (keyword === 'false') return (value) => value === 'f';
  return (value) => value === null;
}

function integerTest(operator: Operator, operand: bigint): ((value: Value) => boolean) | undefined {
  switch (operator) {
    case 'lt':
      return (value) => value !== null && BigInt(value) < operand;
    case 'lte':
      return (value) => value !== null && BigInt(value) <= operand;
    case 'gt':
      return (value) => value !== null && BigInt(value) > operand;
    case 'gte':
      return (value) => value !== null && BigInt(value) >= operand;
    default:
      return undefined;
  }
}

const SYMBOLS: Readonly<Record<Exclude<Operator, 'is' | 'in'>, string>> = {
  eq: '=',
  neq: '<>',
  lt: '<',
  lte: '<=',
  gt: '>',
  gte: '>=',
  like: 'like',
  ilike: 'ilike',
  match: '~',
  imatch: '~*',
  isdistinct: 'is distinct from',
};
/** A client chooses the pattern, which may be slow, and all subscribers wait for the result. */
const LIMIT_TIME: Statement = {
  text: `select pg_catalog.set_config('statement_timeout', '500ms', true)`,
  name: 'limit time of patterns',
};
const PATTERN_OPERATORS: readonly Operator[] = ['like', 'ilike', 'match', 'imatch'];

async function evaluate(
  database: FeedDatabase,
  column: CatalogColumn,
  { operator, isNegated }: Condition,
  operand: string | (string | null)[],
  values: readonly Value[],
): Promise<boolean[]> {
  const operands = operator === 'is' ? [] : [operand];
  const operandTypes =
    operator === 'in' ? [column.arrayOid] : [PATTERN_OPERATORS.includes(operator) ? TEXT : column.typeOid];
  const types = (valueType: number) => [valueType, ...(operands.length === 0 ? [] : operandTypes)];
  const compare = (value: string) => comparison(column, operator, operand, isNegated, value);
  if (column.arrayOid === 0) {
    const results = await database.batch(
      values.map((value) => ({
        text: `select ${compare('$1')} as holds`,
        values: [value, ...operands],
        types: types(column.typeOid),
      })),
    );
    return results.map(([row]) => row?.holds === true);
  }
  const statement = {
    text: `select pg_catalog.array_agg(${compare('v.value')} order by v.n) as holds
      from pg_catalog.unnest($1) with ordinality as v(value, n)`,
    values: [values, ...operands],
    types: types(column.arrayOid),
  };
  const isPattern = PATTERN_OPERATORS.includes(operator);
  const [row] = isPattern
    ? ((await database.batch([LIMIT_TIME, statement]))[1] ?? [])
    : await database.query(statement);
  const results = (row?.holds ?? []) as readonly (boolean | null)[];
  return values.map((_, index) => results[index] === true);
}

/** Returns the comparison as SQL. A result of null counts as false. */
function comparison(
  { collation }: CatalogColumn,
  operator: Operator,
  operand: string | (string | null)[],
  isNegated: boolean,
  value: string,
): string {
  const left = collation === null ? value : `${value} collate ${collation}`;
  const text =
    operator === 'is'
      ? `${value} is ${operand as string}`
      : operator === 'in'
        ? `${left} = any($2)`
        : `${left} ${SYMBOLS[operator]} $2`;
  return isNegated ? `not (${text})` : `(${text})`;
}
