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
  const values = body.columns.map((column) => sql`${valueSql(column)} as ${name(column.name)}`);
  return sql`select ${join(values, ', ')} from ${recordsSql(body, json)}`;
}

function recordsSql({ isArray, columns }: WrittenBody, json: Fragment): Fragment {
  const types = columns.map(({ name: own, type, parse }) => {
    return sql`${name(own)} ${parse === undefined ? catalogSql(type) : sql`json`}`;
  });
  const given = sql`${GIVEN}(${join(types, ', ')})`;
  if (columns.every((column) => column.default === undefined)) {
    return isArray ? sql`json_to_recordset(${json}) as ${given}` : sql`json_to_record(${json}) as ${given}`;
  }
  const elements = isArray
    ? sql`json_array_elements(${json}) as ${ELEMENT}("value")`
    : sql`(select ${json} as "value") as ${ELEMENT}`;
  return sql`${elements}, json_to_record(${ELEMENT}."value") as ${given}`;
}

/** Null in JSON is a value; only where there is no such key, the default is asked for, and not before. */
function valueSql({ name: own, type, parse, default: otherwise }: WrittenColumn): Fragment {
  const given = sql`${GIVEN}.${name(own)}`;
  const value = parse === undefined ? given : sql`${qualified(parse)}(${given})`;
  if (otherwise === undefined) return value;
  // The catalog leaves out casts that are made by themselves where a column is assigned to.
  const fallback = sql`cast((${catalogSql(otherwise)}) as ${catalogSql(type)})`;
  return sql`case when (${ELEMENT}."value" -> ${nameText(own)}) is null then ${fallback} else ${value} end`;
}
