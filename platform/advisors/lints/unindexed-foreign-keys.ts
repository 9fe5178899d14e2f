import { defineLint } from '../lint.ts';

/** 0001: foreign keys without an index. An index may begin with the columns in any order. */
export const unindexedForeignKeys = defineLint<{
  schema: string;
  name: string;
  type: string;
  fkey_name: string;
  fkey_columns: number[];
}>({
  name: 'unindexed_foreign_keys',
  title: 'Unindexed foreign keys',
  level: 'INFO',
  category: 'PERFORMANCE',
  description:
    'Without an index on the columns of a foreign key, each delete and update of a referenced row reads the whole table, and so do joins.',
  remediation: 'Create an index that begins with the columns of the foreign key.',
  sql: `
    select r.schema, r.name, r.type, k.conname as fkey_name, k.conkey as fkey_columns
    from pg_constraint k
    join relation r on r.oid = k.conrelid
    where k.contype = 'f' and r.is_own
      -- Those of partitions follow from the constraint of the partitioned table.
      and k.conparentid = 0
      and not exists (
        select from pg_index i
        where i.indrelid = k.conrelid and i.indisvalid and i.indnkeyatts >= cardinality(k.conkey)
          and (i.indkey::int2[])[0:cardinality(k.conkey) - 1] @> k.conkey
      )
    order by r.schema, r.name, k.conname`,
  report: (row) => ({
    detail: `The foreign key ${row.fkey_name} of table ${row.schema}.${row.name} has no index.`,
    metadata: row,
    key: [row.schema, row.name, row.fkey_name],
  }),
});
