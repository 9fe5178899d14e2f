import { isOwnSchema } from '../own-schemas.ts';
import type { Report } from '../report.ts';

/**
 * Estimates the space that tables and B-tree indexes occupy beyond their rows, from the statistics of `analyze`. A row of
 * a table has a header of 24 bytes, an entry of an index one of 8, each a pointer of 4 bytes, and both are aligned to 8
 * bytes. A page has a header of 24 bytes; the pages of an index are filled to 90 percent.
 */
export const bloat: Report = {
  name: 'bloat',
  columns: [
    { name: 'type', heading: 'Type' },
    { name: 'name', heading: 'Name' },
    { name: 'bloat', heading: 'Bloat' },
    { name: 'waste', heading: 'Waste' },
  ],
  query: () => `
with own_table as (
  select c.oid, n.nspname, c.relname, c.reltuples, c.relpages
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'm') and ${isOwnSchema('n.nspname')}
), table_row as (
  select 'table' as type, format('%I.%I', t.nspname, t.relname) as name, t.reltuples, t.relpages,
    24 + sum((1 - s.null_frac) * s.avg_width) as bytes, 1 as fill, 0 as meta_pages
  from own_table t
    join pg_stats s on s.schemaname = t.nspname and s.tablename = t.relname and not s.inherited
  group by t.oid, t.nspname, t.relname, t.reltuples, t.relpages
), index_row as (
  select 'index' as type, format('%I.%I::%I', t.nspname, t.relname, i.relname) as name, i.reltuples, i.relpages,
    8 + sum(coalesce((1 - s.null_frac) * s.avg_width, 0)) as bytes, 0.9 as fill, 1 as meta_pages
  from own_table t
    join pg_index x on x.indrelid = t.oid
    join pg_class i on i.oid = x.indexrelid
    join pg_am m on m.oid = i.relam and m.amname = 'btree'
    cross join lateral unnest(x.indkey) with ordinality as key (number, position)
    -- An expression has its statistics under the names of the index and of its column.
    join pg_attribute a on (a.attrelid, a.attnum) =
      (case key.number when 0 then i.oid else t.oid end, case key.number when 0 then key.position else key.number end)
    left join pg_stats s on s.schemaname = t.nspname and s.attname = a.attname and not s.inherited
      and s.tablename = case key.number when 0 then i.relname else t.relname end
  group by i.oid, t.nspname, t.relname, i.relname, i.reltuples, i.relpages
), relation as (
  select type, name, relpages, greatest(1, meta_pages + ceil(
    greatest(reltuples, 0)::numeric * (8 * ceil(bytes::numeric / 8) + 4)
      / (fill * (current_setting('block_size')::numeric - 24))
  )) as needed_pages
  from (select * from table_row union all select * from index_row) as counted
), estimate as (
  select type, name, round(relpages / needed_pages, 1) as bloat,
    (greatest(0, relpages - needed_pages) * current_setting('block_size')::numeric)::bigint as wasted_bytes
  from relation
)
select type, name, bloat, pg_size_pretty(wasted_bytes) as waste
from estimate
order by wasted_bytes desc, bloat desc, name`,
};
