/** Loads domain representations: implicit casts by a function between a domain and json or text. */
import type { Statement } from '@greenroom/postgres';
import type { Representation } from './schema-cache.ts';

/** A row of {@link representationsQuery}. */
export interface RepresentationRow {
  source_type: string;
  target_type: string;
  schema: string;
  name: string;
}

/** Returns the query for the casts of the whole database, because casts do not belong to a schema. */
export function representationsQuery(): Statement {
  return {
    text: `
      select format_type(source.oid, null) as source_type, format_type(target.oid, null) as target_type,
        n.nspname::text as schema, p.proname::text as name
      from pg_cast c
        join pg_type source on source.oid = c.castsource
        join pg_type target on target.oid = c.casttarget
        join pg_proc p on p.oid = c.castfunc
        join pg_namespace n on n.oid = p.pronamespace
      where c.castcontext = 'i' and c.castmethod = 'f'
        and (
          source.typtype = 'd' and target.oid in ('json'::regtype, 'text'::regtype)
          or target.typtype = 'd' and source.oid in ('json'::regtype, 'text'::regtype)
        )
      order by 1, 2`,
  };
}

/** Converts the rows of {@link representationsQuery}. */
export function readRepresentations(rows: readonly RepresentationRow[]): Representation[] {
  return rows.map((row) => ({
    sourceType: row.source_type,
    targetType: row.target_type,
    function: { schema: row.schema, name: row.name },
  }));
}
