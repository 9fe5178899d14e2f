/** Loads media type handlers: functions that return a domain with the name of a media type. */
import type { Statement } from '@greenroom/postgres';
import type { MediaHandler } from './schema-cache.ts';

/** A row of {@link mediaHandlersQuery}. */
export interface MediaHandlerRow {
  kind: 'aggregate' | 'function';
  media_type: string;
  is_binary: boolean;
  schema: string;
  name: string;
  target_schema: string | null;
  target_name: string | null;
}

/** Matches `type/subtype`, with the characters of registered media types. */
const MEDIA_TYPE = '^[A-Za-z0-9.-]+/[A-Za-z0-9.+-]+$';

/** Returns the query for aggregates over the rows of one or any relation, and for functions that return one value. */
export function mediaHandlersQuery(schemas: readonly string[]): Statement {
  return {
    text: `
      with recursive media_types as (
        select oid, lower(typname) as media_type, typbasetype as base from pg_type
        where typtype = 'd' and (typname = '*/*' or typname ~ $2)
        union all
        select outside.oid, outside.media_type, inside.typbasetype
        from media_types outside join pg_type inside on inside.oid = outside.base and inside.typtype = 'd'
      ),
      handlers as (
        select p.*, n.nspname, m.media_type, bool_or(m.base in ('bytea'::regtype, 'xml'::regtype)) as is_binary
        from pg_proc p
          join pg_namespace n on n.oid = p.pronamespace
          join media_types m on m.oid = p.prorettype
        where n.nspname = any ($1)
        group by p.oid, n.nspname, m.media_type
      )
      select 'aggregate' as kind, h.media_type, h.is_binary, h.nspname::text as schema, h.proname::text as name,
        relation_n.nspname::text as target_schema, relation.relname::text as target_name
      from handlers h
        left join pg_class relation on relation.reltype = h.proargtypes[0]
          and relation.relkind in ('r', 'v', 'm', 'f', 'p')
        left join pg_namespace relation_n on relation_n.oid = relation.relnamespace
      where h.prokind = 'a' and h.pronargs = 1
        and (relation.oid is not null or h.proargtypes[0] = 'anyelement'::regtype)
      union all
      select 'function', media_type, is_binary, nspname::text, proname::text, nspname::text, proname::text
      from handlers where prokind = 'f' and not proretset
      order by 1, 2, 4, 5`,
    values: [schemas, MEDIA_TYPE],
  };
}

/** Converts the rows of {@link mediaHandlersQuery}. */
export function readMediaHandlers(rows: readonly MediaHandlerRow[]): MediaHandler[] {
  return rows.map((row) => ({
    kind: row.kind,
    mediaType: row.media_type,
    function: { schema: row.schema, name: row.name },
    target:
      row.target_schema === null || row.target_name === null
        ? undefined
        : { schema: row.target_schema, name: row.target_name },
    isBinary: row.is_binary,
  }));
}
