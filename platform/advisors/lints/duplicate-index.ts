import { defineLint } from '../lint.ts';

/** 0009: indexes of one table that differ in their names only. */
export const duplicateIndex = defineLint<{ schema: string; name: string; type: string; indexes: string[] }>({
  name: 'duplicate_index',
  title: 'Duplicate Index',
  level: 'WARN',
  category: 'PERFORMANCE',
  description: 'Several equal indexes make writes slower and take space, and one of them is sufficient.',
  remediation: 'Drop all of the indexes except for one.',
  sql: `
    select r.schema, r.name, r.type, array_agg(x.relname::text order by x.relname) as indexes
    from pg_index i
    join relation r on r.oid = i.indrelid
    join pg_class x on x.oid = i.indexrelid
    where r.is_own
    group by
      r.schema, r.name, r.type, x.relam, i.indisunique, i.indnullsnotdistinct, i.indisexclusion, i.indnkeyatts,
      i.indkey::text, i.indclass::text, i.indcollation::text, i.indoption::text,
      pg_get_expr(i.indexprs, i.indrelid), pg_get_expr(i.indpred, i.indrelid)
    having count(*) > 1
    order by r.schema, r.name, indexes`,
  report: (row) => ({
    detail: `Table ${row.schema}.${row.name} has equal indexes: ${row.indexes.join(', ')}.`,
    metadata: row,
    key: [row.schema, row.name, `{${row.indexes.join(',')}}`],
  }),
});
