import { defineLint } from '../lint.ts';

/** 0004: tables without a primary key. Partitions have that of their table. */
export const noPrimaryKey = defineLint<{ schema: string; name: string; type: string }>({
  name: 'no_primary_key',
  title: 'No Primary Key',
  level: 'INFO',
  category: 'PERFORMANCE',
  description:
    'Rows of a table without a primary key cannot be addressed quickly, and their updates and deletes cannot be replicated.',
  remediation: 'Add a primary key to the table.',
  sql: `
    select r.schema, r.name, r.type
    from relation r
    where r.kind in ('r', 'p') and r.is_own and not r.is_partition
      and not exists (select from pg_constraint k where k.conrelid = r.oid and k.contype = 'p')
    order by r.schema, r.name`,
  report: (row) => ({
    detail: `Table ${row.schema}.${row.name} has no primary key.`,
    metadata: row,
    key: [row.schema, row.name],
  }),
});
