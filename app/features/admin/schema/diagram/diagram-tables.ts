/** The tables of a schema and their foreign keys, as the diagram shows them. */
import type { DefinitionQuery } from '../definition-query.ts';

/** A column in the diagram. */
interface DiagramColumn {
  name: string;
  type: string;
  is_key: boolean;
}

/** A foreign key. */
interface DiagramLink {
  name: string;
  columns: readonly string[];
  target_schema: string;
  target: string;
  target_columns: readonly string[];
}

/** A table in the diagram. */
export interface DiagramTable {
  name: string;
  columns: readonly DiagramColumn[];
  /** Foreign keys of this table. */
  links: readonly DiagramLink[];
}

/** A drawing of more tables is not legible, and takes seconds to arrange. */
export const MAX_DIAGRAM_TABLES = 300;

const QUERY = `
  with shown as materialized (
    select c.oid, c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = $1 and c.relkind in ('r', 'p') and not c.relispartition
    order by c.relname limit ${MAX_DIAGRAM_TABLES + 1}
  )
  select s.relname as name,
    coalesce((
      select jsonb_agg(jsonb_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod), 'is_key',
        exists (select from pg_constraint p where p.conrelid = s.oid and p.contype = 'p' and a.attnum = any (p.conkey)))
        order by a.attnum)
      from pg_attribute a where a.attrelid = s.oid and a.attnum > 0 and not a.attisdropped), '[]') as columns,
    coalesce((
      select jsonb_agg(jsonb_build_object('name', k.conname, 'target_schema', tn.nspname, 'target', t.relname,
        'columns', (select jsonb_agg(a.attname order by o.place) from unnest(k.conkey) with ordinality o(number, place)
          join pg_attribute a on a.attrelid = k.conrelid and a.attnum = o.number),
        'target_columns', (select jsonb_agg(a.attname order by o.place) from unnest(k.confkey) with ordinality o(number, place)
          join pg_attribute a on a.attrelid = k.confrelid and a.attnum = o.number)) order by k.conname)
      from pg_constraint k join pg_class t on t.oid = k.confrelid join pg_namespace tn on tn.oid = t.relnamespace
      where k.conrelid = s.oid and k.contype = 'f'), '[]') as links
  from shown s order by s.relname`;

/** Returns the query of the tables of a schema: one more than the limit if there are more. */
export function diagramQuery(schema: string): DefinitionQuery {
  return { sql: QUERY, parameters: [schema] };
}

/** Returns the tables whose name, or the name of a column, contains the text. All tables for an empty text. */
export function findTables(tables: readonly DiagramTable[], text: string): DiagramTable[] {
  const wanted = text.trim().toLowerCase();
  const contains = ({ name }: { name: string }) => name.toLowerCase().includes(wanted);
  return tables.filter((table) => contains(table) || table.columns.some(contains));
}
