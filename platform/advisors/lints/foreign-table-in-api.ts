import { defineLint } from '../lint.ts';

/** 0017: foreign tables of the data API. */
export const foreignTableInApi = defineLint<{ schema: string; name: string; type: string }>({
  name: 'foreign_table_in_api',
  title: 'Foreign Table in API',
  level: 'WARN',
  category: 'SECURITY',
  description:
    'Foreign tables have no row-level security, so clients of the data API can access all of their rows.',
  remediation:
    'Revoke the rights of anon and authenticated, or move the table to a schema outside the data API.',
  sql: `
    select r.schema, r.name, r.type
    from relation r
    where r.kind = 'f' and r.is_own and r.is_exposed and r.is_readable
    order by r.schema, r.name`,
  report: (row) => ({
    detail: `Foreign table ${row.schema}.${row.name} is part of the data API.`,
    metadata: row,
    key: [row.schema, row.name],
  }),
});
