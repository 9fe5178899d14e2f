/** Computed relationships: functions from a row of one relation to rows of another. */
import type { Statement } from '@greenroom/postgres';
import { type ComputedRelationship, keyOf } from './schema-cache.ts';

/** A row of {@link computedRelationshipsQuery}. */
export interface ComputedRelationshipRow {
  schema: string;
  name: string;
  from_schema: string;
  from_name: string;
  to_schema: string;
  to_name: string;
  is_to_one: boolean;
}

/** Returns the query for functions of all schemas. {@link deriveRelationships} filters them by exposed relations. */
export function computedRelationshipsQuery(): Statement {
  return {
    text: `
      select n.nspname::text as schema, p.proname::text as name,
        from_n.nspname::text as from_schema, from_c.relname::text as from_name,
        to_n.nspname::text as to_schema, to_c.relname::text as to_name,
        not p.proretset or p.prorows = 1 as is_to_one
      from pg_proc p
        join pg_namespace n on n.oid = p.pronamespace
        join pg_class from_c on from_c.reltype = p.proargtypes[0]
        join pg_namespace from_n on from_n.oid = from_c.relnamespace
        join pg_class to_c on to_c.reltype = p.prorettype
        join pg_namespace to_n on to_n.oid = to_c.relnamespace
      where p.pronargs = 1 and p.prokind = 'f'
        and from_c.relkind in ('r', 'v', 'm', 'f', 'p') and to_c.relkind in ('r', 'v', 'm', 'f', 'p')
      order by 3, 4, 1, 2`,
  };
}

/** Converts the rows of {@link computedRelationshipsQuery}. */
export function readComputedRelationships(rows: readonly ComputedRelationshipRow[]): ComputedRelationship[] {
  return rows.map((row) => {
    const from = { schema: row.from_schema, name: row.from_name };
    const to = { schema: row.to_schema, name: row.to_name };
    return {
      kind: 'computed',
      from,
      to,
      isSelf: keyOf(from) === keyOf(to),
      cardinality: row.is_to_one ? 'many-to-one' : 'one-to-many',
      function: { schema: row.schema, name: row.name },
      isToOne: row.is_to_one,
    };
  });
}
