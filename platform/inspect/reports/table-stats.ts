import { isOwnSchema } from '../own-schemas.ts';
import type { Report } from '../report.ts';

/** Tables with their sizes, estimated numbers of rows, and scans of the whole table. */
export const tableStats: Report = {
  name: 'table-stats',
  columns: [
    { name: 'name', heading: 'Name' },
    { name: 'table_size', heading: 'Table size' },
    { name: 'index_size', heading: 'Index size' },
    { name: 'total_size', heading: 'Total size' },
    { name: 'estimated_row_count', heading: 'Estimated row count' },
    { name: 'seq_scans', heading: 'Seq scans' },
  ],
  query: () => `
select format('%I.%I', n.nspname, c.relname) as name,
  pg_size_pretty(pg_table_size(c.oid)) as table_size,
  pg_size_pretty(pg_indexes_size(c.oid)) as index_size,
  pg_size_pretty(pg_total_relation_size(c.oid)) as total_size,
  coalesce(s.n_live_tup, 0) as estimated_row_count,
  coalesce(s.seq_scan, 0) as seq_scans
from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  left join pg_stat_user_tables s on s.relid = c.oid
where c.relkind = 'r' and ${isOwnSchema('n.nspname')}
order by pg_total_relation_size(c.oid) desc, name`,
};
