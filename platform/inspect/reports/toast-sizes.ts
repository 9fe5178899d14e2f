import { isOwnSchema } from '../own-schemas.ts';
import type { Report } from '../report.ts';

const MINUTE = 'YYYY-MM-DD HH24:MI';

/** Tables whose long values are stored outside of their rows, with the state of that storage. */
export const toastSizes: Report = {
  name: 'toast-sizes',
  columns: [
    { name: 'name', heading: 'Table' },
    { name: 'total_size', heading: 'Total size' },
    { name: 'heap_size', heading: 'Heap size' },
    { name: 'toast_size', heading: 'TOAST size' },
    { name: 'toast_live_chunks', heading: 'TOAST live chunks' },
    { name: 'toast_dead_chunks', heading: 'TOAST dead chunks' },
    { name: 'toast_dead_pct', heading: 'TOAST dead %' },
    { name: 'last_autovacuum', heading: 'Last autovacuum' },
    { name: 'last_vacuum', heading: 'Last vacuum' },
  ],
  query: () => `
with stored as (
  select n.nspname, c.relname, c.oid, c.reltoastrelid, s.last_autovacuum, s.last_vacuum,
    coalesce(s.n_live_tup, 0) as live, coalesce(s.n_dead_tup, 0) as dead
  from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    left join pg_stat_all_tables s on s.relid = c.reltoastrelid
  where c.relkind in ('r', 'm') and c.reltoastrelid <> 0 and ${isOwnSchema('n.nspname')}
)
select format('%I.%I', nspname, relname) as name,
  pg_size_pretty(pg_total_relation_size(oid)) as total_size,
  pg_size_pretty(pg_relation_size(oid)) as heap_size,
  pg_size_pretty(pg_total_relation_size(reltoastrelid)) as toast_size,
  live as toast_live_chunks,
  dead as toast_dead_chunks,
  round(coalesce(100.0 * dead / nullif(live + dead, 0), 0), 1) as toast_dead_pct,
  coalesce(to_char(last_autovacuum, '${MINUTE}'), '') as last_autovacuum,
  coalesce(to_char(last_vacuum, '${MINUTE}'), '') as last_vacuum
from stored
order by pg_total_relation_size(reltoastrelid) desc, name`,
};
