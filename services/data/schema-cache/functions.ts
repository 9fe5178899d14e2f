/** Loads the callable functions of the exposed schemas: those with named parameters or a single unnamed parameter. */
import type { Statement } from '@greenroom/postgres';
import {
  type FunctionParameter,
  type FunctionResult,
  keyOf,
  type QualifiedName,
  type SqlFunction,
} from './schema-cache.ts';

/** A row of {@link functionsQuery}. */
export interface FunctionRow {
  schema: string;
  name: string;
  description: string | null;
  volatility: 'v' | 's' | 'i';
  is_variadic: boolean;
  returns_set: boolean;
  result_schema: string;
  result_name: string;
  result_is_composite: boolean;
  has_output: boolean;
  settings: string[];
  parameters: { name: string | null; type: string; is_required: boolean; is_variadic: boolean }[];
}

/** Types of parameters that can receive a whole request body. */
const BODY_TYPES = ['bytea', 'json', 'jsonb', 'text', 'xml'];

/** Types for which a cast without a length truncates the value, and the equivalent type that does not. */
const UNBOUNDED_TYPES: Readonly<Record<string, string>> = {
  bit: 'bit varying',
  'bit[]': 'bit varying[]',
  character: 'character varying',
  'character[]': 'character varying[]',
};

const VOLATILITIES = { v: 'volatile', s: 'stable', i: 'immutable' } as const;
const ISOLATION_SETTING = 'default_transaction_isolation';

/**
 * Returns the query for ordinary functions, except trigger functions. `proallargtypes` is set only if a function has
 * parameters that are not inputs; names and modes then refer to it. Defaults belong to the last input parameters.
 */
export function functionsQuery(schemas: readonly string[]): Statement {
  return {
    text: `
      with recursive result_types as (
        select oid, oid as base, typtype, typbasetype from pg_type
        where oid in (
          select prorettype from pg_proc
          where pronamespace in (select oid from pg_namespace where nspname = any ($1))
        )
        union all
        select outside.oid, inside.oid, inside.typtype, inside.typbasetype
        from result_types outside join pg_type inside on inside.oid = outside.typbasetype
        where outside.typtype = 'd'
      )
      select n.nspname::text as schema, p.proname::text as name, obj_description(p.oid, 'pg_proc') as description,
        p.provolatile::text as volatility, p.provariadic <> 0 as is_variadic, p.proretset as returns_set,
        result_n.nspname::text as result_schema, result.typname::text as result_name,
        result.typtype = 'c' as result_is_composite,
        coalesce(p.proargmodes::text[] && array['o', 'b', 't'], false) as has_output,
        coalesce(p.proconfig, '{}') as settings,
        (
          select coalesce(json_agg(json_build_object(
            'name', nullif(input.name, ''),
            'type', format_type(input.type, null),
            'is_required', input.ord <= p.pronargs - p.pronargdefaults,
            'is_variadic', input.mode = 'v'
          ) order by input.ord), '[]')
          from (
            select name, type, coalesce(mode, 'i') as mode, row_number() over (order by place) as ord
            from unnest(
                coalesce(p.proallargtypes, p.proargtypes::oid[]), p.proargnames, p.proargmodes::text[]
              ) with ordinality as argument (type, name, mode, place)
            where coalesce(mode, 'i') in ('i', 'b', 'v')
          ) input
        ) as parameters
      from pg_proc p
        join pg_namespace n on n.oid = p.pronamespace
        join result_types on result_types.oid = p.prorettype and result_types.typtype <> 'd'
        join pg_type result on result.oid = result_types.base
        join pg_namespace result_n on result_n.oid = result.typnamespace
      where n.nspname = any ($1) and p.prokind = 'f'
        and result.oid not in ('trigger'::regtype, 'event_trigger'::regtype)
      order by 1, 2, p.pronargs, pg_get_function_identity_arguments(p.oid)`,
    values: [schemas],
  };
}

/**
 * Returns functions by name. Overloads are in ascending order of their number of parameters.
 * @param hoistedSettings names of function settings that apply to the whole transaction
 */
export function readFunctions(
  rows: readonly FunctionRow[],
  hoistedSettings: readonly string[],
): Map<string, readonly SqlFunction[]> {
  const hoisted = new Set(hoistedSettings.map((name) => name.toLowerCase()));
  const functions = rows.filter(isCallable).map((row) => readFunction(row, hoisted));
  return Map.groupBy(functions, keyOf);
}

/** Clients can pass an unnamed parameter only if it is the only one, as the body of a request. */
function isCallable({ parameters }: FunctionRow): boolean {
  const unnamed = parameters.filter(({ name }) => name === null);
  if (unnamed.length === 0) return true;
  return parameters.length === 1 && BODY_TYPES.includes(unnamed[0]?.type ?? '');
}

function readFunction(row: FunctionRow, hoisted: ReadonlySet<string>): SqlFunction {
  const settings = row.settings.map(splitSetting);
  return {
    schema: row.schema,
    name: row.name,
    description: row.description,
    parameters: row.parameters.map(readParameter),
    result: readResult(row),
    volatility: VOLATILITIES[row.volatility],
    hasVariadic: row.is_variadic,
    isolation: readIsolation(settings.find(([name]) => name === ISOLATION_SETTING)?.[1]),
    settings: settings.filter(([name]) => hoisted.has(name.toLowerCase())),
  };
}

function readParameter(row: FunctionRow['parameters'][number]): FunctionParameter {
  return {
    name: row.name ?? '',
    type: row.type,
    typeWithModifier: UNBOUNDED_TYPES[row.type] ?? row.type,
    isRequired: row.is_required,
    isVariadic: row.is_variadic,
  };
}

function readResult(row: FunctionRow): FunctionResult {
  const type: QualifiedName = { schema: row.result_schema, name: row.result_name };
  if (row.result_is_composite || row.has_output) {
    return { isSet: row.returns_set, shape: { kind: 'composite', type, isRecord: !row.result_is_composite } };
  }
  const isVoid = type.schema === 'pg_catalog' && type.name === 'void';
  return { isSet: row.returns_set, shape: { kind: 'scalar', type, isVoid } };
}

/** Splits an entry of `proconfig`: `name=value`. Names contain no `=`. */
function splitSetting(setting: string): readonly [string, string] {
  const at = setting.indexOf('=');
  return [setting.slice(0, at), setting.slice(at + 1)];
}

/** PostgreSQL treats `read uncommitted` as `read committed`. */
function readIsolation(value: string | undefined): SqlFunction['isolation'] {
  const level = value?.trim().toLowerCase();
  if (level === undefined) return undefined;
  return level === 'serializable' || level === 'repeatable read' ? level : 'read committed';
}
