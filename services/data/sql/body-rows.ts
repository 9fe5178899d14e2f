/**
 * Rows out of the JSON of a body. PostgreSQL decodes it by the types of the columns, so that big numbers, nulls and
 * repeated keys are what PostgreSQL takes them for, and nothing is lost on the way.
 */
import type { WrittenBody, WrittenColumn } from '../plan/write-plan.ts';
import { catalogSql, type Fragment, join, name, nameText, parameter, qualified, sql } from './sql.ts';

const GIVEN = name('given');
const ELEMENT = name('element');

/** A row for each object, with the columns that are set; there may be none. */
export function bodyRowsSql(body: WrittenBody): Fragment {
  const json = sql`${parameter(body.slot)}::json`;
  if (body.columns.length === 0) {
    return body.isArray ? sql`select from json_array_elements(${json})` : sql`select`;
  }
  const values = body.columns.map((column, place) => sql`${valueSql(column, place)} as ${name(column.name)}`);
  return sql`select ${join(values, ', ')} from ${recordsSql(body, json)}`;
}

function recordsSql({ isArray, columns }: WrittenBody, json: Fragment): Fragment {
  const given = columns.filter((column) => !isDecodedAlone(column)).map(definitionSql);
  const as = sql`${GIVEN}(${join(given, ', ')})`;
  if (columns.every((column) => column.default === undefined)) {
    return isArray ? sql`json_to_recordset(${json}) as ${as}` : sql`json_to_record(${json}) as ${as}`;
  }
  const objects = isArray ? sql`json_array_elements(${json})` : sql`(select ${json})`;
  const elements = elementsSql(columns, objects);
  return given.length === 0 ? elements : sql`${elements}, json_to_record(${ELEMENT}."value") as ${as}`;
}

/**
 * Each object with its defaults. They are made for every object, as the reference implementation does: of a sequence, a
 * number is gone even where the object has its own. OFFSET keeps PostgreSQL from making them more often than once.
 */
function elementsSql(columns: readonly WrittenColumn[], objects: Fragment): Fragment {
  const defaults = columns.flatMap((column, place) => defaultSql(column, place));
  const list = join([sql`"value"`, ...defaults], ', ');
  return sql`(select ${list} from ${objects} as "objects"("value") offset 0) as ${ELEMENT}`;
}

function defaultSql({ type, default: text }: WrittenColumn, place: number): Fragment[] {
  if (text === undefined) return [];
  // The catalog leaves out casts that are made by themselves where a column is assigned to.
  return [sql`cast((${catalogSql(text)}) as ${catalogSql(type)}) as ${defaultName(place)}`];
}

function defaultName(place: number): Fragment {
  return name(`default_${place}`);
}

function definitionSql({ name: own, type, parse }: WrittenColumn): Fragment {
  return sql`${name(own)} ${parse === undefined ? catalogSql(type) : sql`json`}`;
}

/** Where there is no such key, a record has null, and a domain may refuse that before the default comes into play. */
function isDecodedAlone({ isDomain, parse, default: otherwise }: WrittenColumn): boolean {
  return isDomain && parse === undefined && otherwise !== undefined;
}

/** Null in JSON is a value; the default is for where there is no such key. */
function valueSql(column: WrittenColumn, place: number): Fragment {
  if (column.default === undefined) return givenSql(column);
  const isAbsent = sql`(${ELEMENT}."value" -> ${nameText(column.name)}) is null`;
  return sql`case when ${isAbsent} then ${ELEMENT}.${defaultName(place)} else ${givenSql(column)} end`;
}

function givenSql(column: WrittenColumn): Fragment {
  const value = sql`${GIVEN}.${name(column.name)}`;
  if (column.parse !== undefined) return sql`${qualified(column.parse)}(${value})`;
  if (!isDecodedAlone(column)) return value;
  return sql`(select ${value} from json_to_record(${ELEMENT}."value") as ${GIVEN}(${definitionSql(column)}))`;
}
