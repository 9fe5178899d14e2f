import { defineLint } from '../lint.ts';

/**
 * 0020: tables with many times the pages that their rows need, by the statistics of the last ANALYZE. A row takes 28 bytes for
 * its header and its pointer; a page has a header of 24 bytes.
 */
export const tableBloat = defineLint<{ schema: string; name: string; type: string }>({
  name: 'table_bloat',
  title: 'Table Bloat',
  level: 'INFO',
  category: 'PERFORMANCE',
  description:
    'Deleted and former versions of rows take most of the space of the table, which queries have to read.',
  remediation:
    'Rewrite the table with vacuum full, which locks it meanwhile, and let autovacuum process it more often.',
  sql: `
    select r.schema, r.name, r.type
    from relation r
    join pg_class c on c.oid = r.oid
    cross join lateral (
      select coalesce(sum((1 - s.null_frac) * s.avg_width), 0) as width
      from pg_stats s
      where s.schemaname = r.schema and s.tablename = r.name and not s.inherited
    ) w
    cross join lateral (
      select
        current_setting('block_size')::numeric as page_size,
        ceil(c.reltuples * (28 + w.width) / (current_setting('block_size')::numeric - 24)) as needed
    ) p
    where r.kind = 'r' and r.is_own
      -- -1 before the first ANALYZE.
      and c.reltuples >= 0
      and c.relpages > 70 * greatest(p.needed, 1)
      and (c.relpages - p.needed) * p.page_size > 20 * 1024 * 1024
    order by r.schema, r.name`,
  report: (row) => ({
    detail: `Table ${row.schema}.${row.name} takes more than 70 times the space that its rows need.`,
    metadata: row,
    key: [row.schema, row.name],
  }),
});
