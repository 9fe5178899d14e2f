import { defineLint } from '../lint.ts';

/** 0030: indexes that a failed build has left behind. Those that are being built now are not reported. */
export const invalidIndex = defineLint<{ schema: string; name: string; type: string; index_name: string }>({
  name: 'invalid_index',
  title: 'Invalid Index',
  level: 'WARN',
  category: 'PERFORMANCE',
  description:
    'A failed create index concurrently leaves an invalid index behind, which makes writes slower and serves no query.',
  remediation: 'Drop the index, or build it again: reindex index concurrently ….',
  sql: `
    select r.schema, r.name, r.type, x.relname as index_name
    from pg_index i
    join relation r on r.oid = i.indrelid
    join pg_class x on x.oid = i.indexrelid
    where r.is_own and not i.indisvalid
      -- The index of a partitioned table is invalid until each partition has one.
      and x.relkind = 'i'
      and not exists (select from pg_stat_progress_create_index b where b.index_relid = i.indexrelid)
    order by r.schema, r.name, x.relname`,
  report: (row) => ({
    detail: `The index ${row.index_name} of table ${row.schema}.${row.name} is invalid.`,
    metadata: row,
    key: [row.schema, row.name, row.index_name],
  }),
});
