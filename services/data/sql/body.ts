/** The body of a response, made of the rows that it shows. */
import type { Handler } from '../request/accept.ts';
import type { MediaHandler } from '../schema-cache/schema-cache.ts';
import { type Fragment, name, qualified, sql } from './sql.ts';

/** What the rows are called. */
export const PAGE = name('page');

/** The column of what returns values and no rows. */
export const SCALAR_COLUMN = 'pgrst_scalar';

/** What makes the body; `none` is for responses that have none. */
export type BodyFormat = Handler | { kind: 'none' };

/** What is shown: rows, one row, or, of a function that returns no rows, its values or its value. */
export type ResultShape = 'rows' | 'row' | 'scalars' | 'scalar';

const SCALAR = sql`${PAGE}.${name(SCALAR_COLUMN)}`;

/** One value, in JSON, text, or what a function of the database gives. */
export function bodySql(format: BodyFormat, shape: ResultShape): Fragment {
  switch (format.kind) {
    case 'none':
      return sql`null::text`;
    case 'json':
      return jsonSql(shape, false);
    case 'array-stripped':
      return jsonSql(shape, true);
    case 'object':
      return jsonSql(shape === 'scalar' || shape === 'scalars' ? 'scalar' : 'row', format.stripsNulls);
    case 'csv':
      return csvSql();
    case 'geojson':
      return sql`json_build_object('type', 'FeatureCollection', 'features', coalesce(json_agg(ST_AsGeoJSON(${PAGE}.*)::json), '[]'))`;
    case 'custom':
      return customSql(format.handler, shape);
  }
}

function jsonSql(shape: ResultShape, stripsNulls: boolean): Fragment {
  const strip = (json: Fragment) => (stripsNulls ? sql`json_strip_nulls(${json})` : json);
  switch (shape) {
    case 'rows':
      return sql`coalesce(${strip(sql`json_agg(${PAGE}.*)`)}, '[]')`;
    case 'scalars':
      return sql`coalesce(${strip(sql`json_agg(${SCALAR})`)}, '[]')`;
    case 'row':
      return sql`coalesce(${strip(sql`(array_agg(row_to_json(${PAGE}.*)))[1]`)}, 'null')`;
    case 'scalar':
      return sql`coalesce(${strip(sql`(array_agg(to_json(${SCALAR})))[1]`)}, 'null')`;
  }
}

/**
 * The text form of a row has the fields' quotes and commas just as CSV has them (RFC 4180 §2), in parentheses. Names of
 * columns are those of the first row; there are none without rows.
 */
function csvSql(): Fragment {
  const column = sql`case when "key" ~ '[",\\n\\r]' then '"' || replace("key", '"', '""') || '"' else "key" end`;
  const first = sql`select row_to_json(${PAGE}.*) as "row" from ${PAGE} limit 1`;
  const header = sql`(select string_agg(${column}, ',') from (${first}) as "first", json_object_keys("row") as "key")`;
  const line = sql`substring(${PAGE}.*::text, 2, length(${PAGE}.*::text) - 2)`;
  return sql`coalesce(${header}, '') || E'\\n' || coalesce(string_agg(${line}, E'\\n'), '')`;
}

/** Bytes, XML as it is sent or, of any other type, its text: the binary form of jsonb is another. */
function customSql(handler: MediaHandler, shape: ResultShape): Fragment {
  const made = madeSql(handler, shape);
  return handler.isBinary ? made : sql`${made}::text`;
}

/** A function that answers in a media type by itself has made the body already. */
function madeSql({ kind, function: handler, target }: MediaHandler, shape: ResultShape): Fragment {
  if (kind === 'function') return sql`(array_agg(${SCALAR}))[1]`;
  if (shape === 'scalar' || shape === 'scalars') return sql`${qualified(handler)}(${SCALAR})`;
  const row = target === undefined ? sql`${PAGE}.*` : sql`${PAGE}.*::${qualified(target)}`;
  return sql`${qualified(handler)}(${row})`;
}
