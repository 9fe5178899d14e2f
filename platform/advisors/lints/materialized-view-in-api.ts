import { defineLint } from '../lint.ts';

/** 0016: materialized views of the data API. */
export const materializedViewInApi = defineLint<{ schema: string; name: string; type: string }>({
  name: 'materialized_view_in_api',
  title: 'Materialized View in API',
  level: 'WARN',
  category: 'SECURITY',
  description:
    'Materialized views have no row-level security, so clients of the data API can read all of their rows.',
  remediation:
    'Revoke the rights of anon and authenticated, or move the view to a schema outside the data API.',
  sql: `
    select r.schema, r.name, r.type
    from relation r
    where r.kind = 'm' and r.is_own and r.is_exposed and r.is_readable
    order by r.schema, r.name`,
  report: (row) => ({
    detail: `Materialized view ${row.schema}.${row.name} is part of the data API.`,
    metadata: row,
    key: [row.schema, row.name],
  }),
});
