import { defineLint } from '../lint.ts';

/** 0013: tables of the data API without row-level security. */
export const rlsDisabledInPublic = defineLint<{ schema: string; name: string; type: string }>({
  name: 'rls_disabled_in_public',
  title: 'RLS Disabled in Public',
  level: 'ERROR',
  category: 'SECURITY',
  description:
    'Clients of the data API can access all rows of a table without row-level security, as far as their role has rights on it.',
  remediation: 'Enable row-level security, and create policies: alter table … enable row level security.',
  sql: `
    select r.schema, r.name, r.type
    from relation r
    where r.kind in ('r', 'p') and r.is_own and r.is_exposed and r.is_readable and not r.has_rls
    order by r.schema, r.name`,
  report: (row) => ({
    detail: `Row-level security is disabled on table ${row.schema}.${row.name}, which is part of the data API.`,
    metadata: row,
    key: [row.schema, row.name],
  }),
});
