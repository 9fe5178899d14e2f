import { defineLint } from '../lint.ts';

/** 0005: indexes that no query has used since the statistics of the server were reset. Those of constraints are needed. */
export const unusedIndex = defineLint<{ schema: string; name: string; type: string; index_name: string }>({
  name: 'unused_index',
  title: 'Unused Index',
  level: 'INFO',
  category: 'PERFORMANCE',
  description: 'An index that no query uses makes writes slower and takes space.',
  remediation: 'Drop the index if its queries have run since the statistics were last reset.',
  sql: `
    select r.schema, r.name, r.type, s.indexrelname as index_name
    from pg_index i
    join relation r on r.oid = i.indrelid
    join pg_stat_user_indexes s on s.indexrelid = i.indexrelid
    where r.is_own and not i.indisunique and not i.indisexclusion and s.idx_scan = 0
    order by r.schema, r.name, s.indexrelname`,
  report: (row) => ({
    detail: `The index ${row.index_name} of table ${row.schema}.${row.name} has not been used.`,
    metadata: row,
    key: [row.schema, row.name, row.index_name],
  }),
});
