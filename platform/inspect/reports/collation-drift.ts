import type { Report } from '../report.ts';

/**
 * B-tree indexes that were built with another version of a collation than that of the running system, which may sort texts in
 * another order. All schemas are included, because indexes of accounts and objects matter as much as those of the project.
 */
export const collationDrift: Report = {
  name: 'collation-drift',
  columns: [
    { name: 'name', heading: 'Name' },
    { name: 'table', heading: 'Table' },
    { name: 'columns', heading: 'Columns' },
    { name: 'collation', heading: 'Collation' },
    { name: 'stored_version', heading: 'Stored version' },
    { name: 'current_version', heading: 'Current version' },
    { name: 'key_type', heading: 'Key' },
    { name: 'size', heading: 'Size' },
  ],
  query: () => `
with versioned as (
  select c.oid, 'default' as collation_name, d.datcollversion as stored_version,
    pg_database_collation_actual_version(d.oid) as current_version
  from pg_database d join pg_collation c on c.oid = 'pg_catalog."default"'::regcollation
  where d.datname = current_database() and d.datcollversion is not null
  union all
  select c.oid, format('%I.%I', n.nspname, c.collname), c.collversion, pg_collation_actual_version(c.oid)
  from pg_collation c join pg_namespace n on n.oid = c.collnamespace
  where c.collversion is not null
    and exists (select from pg_index where c.oid = any (indcollation))
), affected as (
  select x.indexrelid, x.indrelid, x.indisprimary, x.indisunique, v.collation_name, v.stored_version, v.current_version,
    string_agg(pg_get_indexdef(x.indexrelid, key.position::int, false), ', ' order by key.position) as columns
  from pg_index x
    join pg_class i on i.oid = x.indexrelid
    join pg_am m on m.oid = i.relam and m.amname = 'btree'
    cross join lateral unnest(x.indcollation) with ordinality as key (collation_oid, position)
    join versioned v on v.oid = key.collation_oid and v.stored_version is distinct from v.current_version
  group by x.indexrelid, x.indrelid, x.indisprimary, x.indisunique, v.collation_name, v.stored_version, v.current_version
)
select current_database() as database,
  format('%I.%I', n.nspname, i.relname) as name,
  format('%I.%I', n.nspname, t.relname) as table,
  columns,
  collation_name as collation,
  stored_version,
  current_version,
  case when indisprimary then 'PRIMARY KEY' when indisunique then 'UNIQUE' else '' end as key_type,
  pg_size_pretty(pg_relation_size(i.oid)) as size
from affected
  join pg_class i on i.oid = indexrelid
  join pg_class t on t.oid = indrelid
  join pg_namespace n on n.oid = t.relnamespace
where n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')
order by indisprimary desc, indisunique desc, pg_relation_size(i.oid) desc, name`,
};
