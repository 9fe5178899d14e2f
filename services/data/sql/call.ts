/** Calls of functions: where the rows of a read come from. */
import { CALLED, type CallInput, type CallPlan } from '../plan/call-plan.ts';
import type { FunctionParameter, SqlFunction } from '../schema-cache/schema-cache.ts';
import { type ResultShape, SCALAR_COLUMN } from './body.ts';
import { catalogSql, EMPTY, type Fragment, join, name, parameter, qualified, sql } from './sql.ts';
import type { RowSource } from './statement.ts';

const RESULT = name('result');
const GIVEN = 'given';

/** What is shown of a function's result. */
export function resultShape({ result: { isSet, shape } }: Pick<SqlFunction, 'result'>): ResultShape {
  if (shape.kind === 'composite') return isSet ? 'rows' : 'row';
  return isSet ? 'scalars' : 'scalar';
}

/** The rows of a call as a statement reads them. */
export function callSource(plan: CallPlan): RowSource {
  const isVolatile = plan.function.volatility === 'volatile';
  return { name: CALLED, rows: callRowsSql(plan), isVolatile };
}

/**
 * The rows. The function stands in FROM, so that PostgreSQL can put the query of a stable one in its place; values are in
 * the column {@link SCALAR_COLUMN}.
 */
export function callRowsSql({ function: called, input }: CallPlan): Fragment {
  const call = sql`${qualified(called)}(${argumentsSql(input)})`;
  const given = givenSql(input);
  const scalar = name(SCALAR_COLUMN);
  // In FROM, a column list would be required. OFFSET keeps the call from being written wherever its value is used.
  if (isUnknownRecord(called)) {
    const from = given === undefined ? EMPTY : sql` from ${given}`;
    return sql`select ${call} as ${scalar}${from} offset 0`;
  }
  const from = given === undefined ? call : sql`${given}, lateral ${call}`;
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
        input.parameters.map((to) => argumentSql(to, name(GIVEN, to.name))),
        ', ',
      );
  }
}

function argumentSql({ name: own, isVariadic }: FunctionParameter, value: Fragment): Fragment {
  if (own === '') return value;
  const argument = sql`${name(own)} => ${value}`;
  return isVariadic ? sql`variadic ${argument}` : argument;
}

/** Texts in an array are read one by one, since a few types have separators of their own. */
function textSql(to: FunctionParameter, slot: number): Fragment {
  const value = to.isVariadic ? sql`${parameter(slot)}::text[]` : parameter(slot);
  return sql`${value}::${typeOf(to)}`;
}

/** PostgreSQL reads the JSON, so numbers keep their digits. Of a list without objects there is nothing to call with. */
function givenSql(input: CallInput): Fragment | undefined {
  if (input.kind !== 'json') return undefined;
  const columns = join(
    input.parameters.map((each) => sql`${name(each.name)} ${typeOf(each)}`),
    ', ',
  );
  const json = sql`${parameter(input.slot)}::json`;
  const as = name(GIVEN);
  return input.isList
    ? sql`(select * from json_to_recordset(${json}) as ${as}(${columns}) limit 1) as ${as}`
    : sql`json_to_record(${json}) as ${as}(${columns})`;
}

function typeOf({ typeWithModifier }: FunctionParameter): Fragment {
  return catalogSql(typeWithModifier);
}
