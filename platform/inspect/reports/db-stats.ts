import { isOwnSchema } from '../own-schemas.ts';
import type { Report } from '../report.ts';
import type { StatementView } from '../statement-view.ts';

/** Sizes of the database and of the project's tables, and the shares of blocks that were found in memory. */
export const databaseStats: Report = {
  name: 'db-stats',
  columns: [
    { name: 'name', heading: 'Name' },
    { name: 'database_size', heading: 'Database size' },
    { name: 'total_index_size', heading: 'Total index size' },
    { name: 'total_table_size', heading: 'Total table size' },
    { name: 'total_toast_size', heading: 'Total TOAST size' },
    { name: 'time_since_stats_reset', heading: 'Time since stats reset' },
    { name: 'index_hit_rate', heading: 'Index hit rate' },
    { name: 'table_hit_rate', heading: 'Table hit rate' },
    { name: 'wal_size', heading: 'WAL size' },
  ],
  query: ({ statements }) => `
with own_table as (
  select c.oid, c.reltoastrelid
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'm') and ${isOwnSchema('n.nspname')}
), size as (
  select sum(pg_indexes_size(oid)) as indexes, sum(pg_relation_size(oid)) as tables,
    sum(pg_relation_size(reltoastrelid)) as toast
  from own_table
)
select current_database() as name,
  pg_size_pretty(pg_database_size(current_database())) as database_size,
  pg_size_pretty(coalesce(indexes, 0)) as total_index_size,
  pg_size_pretty(coalesce(tables, 0)) as total_table_size,
  pg_size_pretty(coalesce(toast, 0)) as total_toast_size,
  ${timeSinceReset(statements)} as time_since_stats_reset,
  coalesce((
    select round(sum(idx_blks_hit) / nullif(sum(idx_blks_hit + idx_blks_read), 0), 2)::text
    from pg_statio_user_indexes where ${isOwnSchema('schemaname')}
  ), 'N/A') as index_hit_rate,
  coalesce((
    select round(sum(heap_blks_hit) / nullif(sum(heap_blks_hit + heap_blks_read), 0), 2)::text
    from pg_statio_user_tables where ${isOwnSchema('schemaname')}
  ), 'N/A') as table_hit_rate,
  (select pg_size_pretty(coalesce(sum(file.size), 0)) from pg_ls_waldir() as file) as wal_size
from size`,
};

function timeSinceReset(statements: StatementView | undefined): string {
  return statements === undefined
    ? `'N/A'`
    : `(select (now() - stats_reset)::text from ${statements.schema}.pg_stat_statements_info)`;
}
