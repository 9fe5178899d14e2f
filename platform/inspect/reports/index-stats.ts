import { isOwnSchema } from '../own-schemas.ts';
import type { Report } from '../report.ts';

/** Indexes with their columns and sizes, and how often they were scanned instead of their whole table. */
export const indexStats: Report = {
  name: 'index-stats',
  columns: [
    { name: 'name', heading: 'Name' },
    { name: 'table', heading: 'Table' },
    { name: 'columns', heading: 'Columns' },
    { name: 'size', heading: 'Size' },
    { name: 'percent_used', heading: 'Percent used' },
    { name: 'index_scans', heading: 'Index scans' },
    { name: 'seq_scans', heading: 'Seq scans' },
    { name: 'unused', heading: 'Unused' },
  ],
  query: () => `
with scanned as (
  select i.indexrelid, i.schemaname, i.relname, i.indexrelname, pg_relation_size(i.indexrelid) as bytes,
    coalesce(i.idx_scan, 0) as index_scans, coalesce(t.seq_scan, 0) as seq_scans
  from pg_stat_user_indexes i join pg_stat_user_tables t on t.relid = i.relid
  where ${isOwnSchema('i.schemaname')}
)
select format('%I.%I', schemaname, indexrelname) as name,
  format('%I.%I', schemaname, relname) as table,
  (
    select string_agg(pg_get_indexdef(indexrelid, attnum, false), ',' order by attnum)
    from pg_attribute where attrelid = indexrelid
  ) as columns,
  pg_size_pretty(bytes) as size,
  case index_scans when 0 then '0%'
    else round(100.0 * index_scans / (index_scans + seq_scans), 1) || '%' end as percent_used,
  index_scans,
  seq_scans,
  index_scans = 0 as unused
from scanned
order by bytes desc, name`,
};
