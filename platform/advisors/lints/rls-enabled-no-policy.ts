import { defineLint } from '../lint.ts';

/** 0008: tables with row-level security and without policies. */
export const rlsEnabledNoPolicy = defineLint<{ schema: string; name: string; type: string }>({
  name: 'rls_enabled_no_policy',
  title: 'RLS Enabled No Policy',
  level: 'INFO',
  category: 'SECURITY',
  description: 'With row-level security and without policies, a table has no rows for clients.',
  remediation: 'Create policies for the rows that clients need. If they need none, nothing is wrong.',
  sql: `
    select r.schema, r.name, r.type
    from relation r
    where r.kind in ('r', 'p') and r.is_own and r.has_rls
      and not exists (select from pg_policy p where p.polrelid = r.oid)
    order by r.schema, r.name`,
  report: (row) => ({
    detail: `Row-level security is enabled on table ${row.schema}.${row.name}, which has no policies.`,
    metadata: row,
    key: [row.schema, row.name],
  }),
});
