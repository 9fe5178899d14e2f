/** SQL for calls of functions, which are row sources of a read. */
import { CALLED, type CallInput, type CallPlan } from '../plan/call-plan.ts';
import type { FunctionParameter, SqlFunction } from '../schema-cache/schema-cache.ts';
import { type ResultShape, SCALAR_COLUMN } from './body.ts';
import { catalogSql, EMPTY, type Fragment, join, name, parameter, qualified, sql } from './sql.ts';
import type { RowSource } from './statement.ts';

const RESULT = name('result');
const ARGUMENTS = 'given';

export function resultShape({ result: { isSet, shape } }: Pick<SqlFunction, 'result'>): ResultShape {
  if (shape.kind === 'composite') return isSet ? 'rows' : 'row';
  return isSet ? 'scalars' : 'scalar';
}

/** Returns the rows of a call as the source of a statement. */
export function callSource(plan: CallPlan): RowSource {
  const isVolatile = plan.function.volatility === 'volatile';
  return { name: CALLED, rows: callRowsSql(plan), isVolatile };
}

/**
 * Returns a query for the rows of a call. The function is called in FROM so that PostgreSQL can inline a stable function.
 * Scalar results are in the column {@link SCALAR_COLUMN}.
 */
export function callRowsSql({ function: called, input }: CallPlan): Fragment {
  const call = sql`${qualified(called)}(${argumentsSql(input)})`;
  const row = argumentRowSql(input);
  const scalar = name(SCALAR_COLUMN);
  // In FROM, a `record` would require a column list. OFFSET prevents PostgreSQL from repeating the call for each use of it.
  if (isUnknownRecord(called)) {
    const from = row === undefined ? EMPTY : sql` from ${row}`;
    return sql`select ${call} as ${scalar}${from} offset 0`;
  }
  const from = row === undefined ? call : sql`${row}, lateral ${call}`;
  if (called.result.shape.kind === 'composite') return sql`select ${RESULT}.* from ${from} as ${RESULT}`;
  return sql`select ${RESULT}.${scalar} from ${from} as ${RESULT}(${scalar})`;
}

function isUnknownRecord({ result: { shape } }: SqlFunction): boolean {
  const { kind, type } = shape;
  return kind === 'scalar' && type.schema === 'pg_catalog' && type.name === 'record';
}

function argumentsSql(input: CallInput): Fragment {
  switch (input.kind) {
    case 'none':
      return EMPTY;
    case 'body':
      return sql`${parameter(input.slot)}::${typeOf(input.parameter)}`;
    case 'texts':
      return join(
        input.arguments.map(({ parameter: to, slot }) => argumentSql(to, textSql(to, slot))),
        ', ',
      );
    case 'json':
      return join(
        input.parameters.map((to) => argumentSql(to, name(ARGUMENTS, to.name))),
        ', ',
      );
  }
}

function argumentSql({ name: own, isVariadic }: FunctionParameter, value: Fragment): Fragment {
  if (own === '') return value;
  const argument = sql`${name(own)} => ${value}`;
  return isVariadic ? sql`variadic ${argument}` : argument;
}

/** Casts the texts of an array individually, because some types have another array separator than the comma. */
function textSql(to: FunctionParameter, slot: number): Fragment {
  const value = to.isVariadic ? sql`${parameter(slot)}::text[]` : parameter(slot);
  return sql`${value}::${typeOf(to)}`;
}

/**
 * Returns the arguments from a JSON body as a row. PostgreSQL parses the JSON, so numbers keep all digits. An empty
 * list has no row, so the function is not called.
 */
function argumentRowSql(input: CallInput): Fragment | undefined {
  if (input.kind !== 'json') return undefined;
  const columns = join(
    input.parameters.map((each) => sql`${name(each.name)} ${typeOf(each)}`),
    ', ',
  );
  const json = sql`${parameter(input.slot)}::json`;
  const as = name(ARGUMENTS);
  return input.isList
    ? sql`(select * from json_to_recordset(${json}) as ${as}(${columns}) limit 1) as ${as}`
    : sql`json_to_record(${json}) as ${as}(${columns})`;
}

function typeOf({ typeWithModifier }: FunctionParameter): Fragment {
  return catalogSql(typeWithModifier);
}
