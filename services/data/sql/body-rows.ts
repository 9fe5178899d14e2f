/**
 * SQL that extracts rows from the JSON of a body. PostgreSQL decodes the JSON by the types of the columns, so large
 * numbers, nulls and repeated keys follow PostgreSQL's rules without loss.
 */
import type { WrittenBody, WrittenColumn } from '../plan/write-plan.ts';
import { catalogSql, type Fragment, join, name, nameText, parameter, qualified, sql } from './sql.ts';

const INPUT = name('given');
const ELEMENT = name('element');

/** Returns a query with one row for each object of the body. The rows have the columns of the body, possibly none. */
export function bodyRowsSql(body: WrittenBody): Fragment {
  const json = sql`${parameter(body.slot)}::json`;
  if (body.columns.length === 0) {
    return body.isArray ? sql`select from json_array_elements(${json})` : sql`select`;
  }
  const values = body.columns.map((column, index) => sql`${valueSql(column, index)} as ${name(column.name)}`);
  return sql`select ${join(values, ', ')} from ${recordsSql(body, json)}`;
}

function recordsSql({ isArray, columns }: WrittenBody, json: Fragment): Fragment {
  const definitions = columns.filter((column) => !isDecodedAlone(column)).map(definitionSql);
  const as = sql`${INPUT}(${join(definitions, ', ')})`;
  if (columns.every((column) => column.default === undefined)) {
    return isArray ? sql`json_to_recordset(${json}) as ${as}` : sql`json_to_record(${json}) as ${as}`;
  }
  const objects = isArray ? sql`json_array_elements(${json})` : sql`(select ${json})`;
  const elements = elementsSql(columns, objects);
  return definitions.length === 0 ? elements : sql`${elements}, json_to_record(${ELEMENT}."value") as ${as}`;
}

/**
 * Returns each object with its defaults. As in PostgREST, the defaults are evaluated for every object: a sequence advances
 * even if the object has its own value. OFFSET prevents PostgreSQL from evaluating a default more than once per object.
 */
function elementsSql(columns: readonly WrittenColumn[], objects: Fragment): Fragment {
  const defaults = columns.flatMap((column, index) => defaultSql(column, index));
  const list = join([sql`"value"`, ...defaults], ', ');
  return sql`(select ${list} from ${objects} as "objects"("value") offset 0) as ${ELEMENT}`;
}

function defaultSql({ type, default: text }: WrittenColumn, index: number): Fragment[] {
  if (text === undefined) return [];
  // The catalog omits assignment casts, which PostgreSQL applies implicitly when it assigns a default to its column.
  return [sql`cast((${catalogSql(text)}) as ${catalogSql(type)}) as ${defaultName(index)}`];
}

function defaultName(index: number): Fragment {
  return name(`default_${index}`);
}

function definitionSql({ name: own, type, parse }: WrittenColumn): Fragment {
  return sql`${name(own)} ${parse === undefined ? catalogSql(type) : sql`json`}`;
}

/**
 * Whether a column is decoded in its own subquery, only if its key exists. A record has null for a missing key, which a
 * domain may reject before the default applies.
 */
function isDecodedAlone({ isDomain, parse, default: fallback }: WrittenColumn): boolean {
  return isDomain && parse === undefined && fallback !== undefined;
}

/** The default applies only if the key is missing. A JSON null is a value. */
function valueSql(column: WrittenColumn, index: number): Fragment {
  if (column.default === undefined) return inputSql(column);
  const isAbsent = sql`(${ELEMENT}."value" -> ${nameText(column.name)}) is null`;
  return sql`case when ${isAbsent} then ${ELEMENT}.${defaultName(index)} else ${inputSql(column)} end`;
}

function inputSql(column: WrittenColumn): Fragment {
  const value = sql`${INPUT}.${name(column.name)}`;
  if (column.parse !== undefined) return sql`${qualified(column.parse)}(${value})`;
  if (!isDecodedAlone(column)) return value;
  return sql`(select ${value} from json_to_record(${ELEMENT}."value") as ${INPUT}(${definitionSql(column)}))`;
}
