/** SQL that builds the body of a response from the rows of the page. */
import type { Handler } from '../request/accept.ts';
import type { MediaHandler } from '../schema-cache/schema-cache.ts';
import { type Fragment, name, qualified, sql } from './sql.ts';

/** Alias of the rows of the response. */
export const PAGE = name('page');

/** The column of a source that returns scalar values instead of rows. */
export const SCALAR_COLUMN = 'pgrst_scalar';

/** The format of the body. `none` is for responses without a body. */
export type BodyFormat = Handler | { kind: 'none' };

/** The shape of the result. `scalars` and `scalar` are for functions that return values instead of rows. */
export type ResultShape = 'rows' | 'row' | 'scalars' | 'scalar';

const SCALAR = sql`${PAGE}.${name(SCALAR_COLUMN)}`;

/** Returns an expression for the body: JSON, text, or the result of a media type handler of the database. */
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
 * PostgreSQL's text format of a row quotes and separates fields like CSV (RFC 4180 §2), in parentheses. The names of the
 * columns come from the first row, so a result without rows has no header.
 */
function csvSql(): Fragment {
  const column = sql`case when "key" ~ '[",\\n\\r]' then '"' || replace("key", '"', '""') || '"' else "key" end`;
  const first = sql`select row_to_json(${PAGE}.*) as "row" from ${PAGE} limit 1`;
  const header = sql`(select string_agg(${column}, ',') from (${first}) as "first", json_object_keys("row") as "key")`;
  const line = sql`substring(${PAGE}.*::text, 2, length(${PAGE}.*::text) - 2)`;
  return sql`coalesce(${header}, '') || E'\\n' || coalesce(string_agg(${line}, E'\\n'), '')`;
}

/**
 * Casts a result to text unless it is bytea or XML: the body is requested in binary format, and that of jsonb is not
 * its text.
 */
function customSql(handler: MediaHandler, shape: ResultShape): Fragment {
  const custom = handlerSql(handler, shape);
  return handler.isBinary ? custom : sql`${custom}::text`;
}

/** A called function that returns a media type itself has already built the body. */
function handlerSql({ kind, function: handler, target }: MediaHandler, shape: ResultShape): Fragment {
  if (kind === 'function') return sql`(array_agg(${SCALAR}))[1]`;
  if (shape === 'scalar' || shape === 'scalars') return sql`${qualified(handler)}(${SCALAR})`;
  const row = target === undefined ? sql`${PAGE}.*` : sql`${PAGE}.*::${qualified(target)}`;
  return sql`${qualified(handler)}(${row})`;
}
