import { defineLint } from '../lint.ts';
import { SENSITIVE_NAMES } from '../sensitive-names.ts';

/** 0023: columns of the data API without row-level security whose names suggest secrets or personal data. */
export const sensitiveColumnsExposed = defineLint<{
  schema: string;
  name: string;
  type: string;
  sensitive_columns: string[];
}>({
  name: 'sensitive_columns_exposed',
  title: 'Sensitive Columns Exposed',
  level: 'ERROR',
  category: 'SECURITY',
  description:
    'Clients of the data API can read columns whose names suggest secrets or personal data, because row-level security is disabled.',
  remediation:
    'Enable row-level security, and create policies, or move the columns to a schema outside the data API.',
  sql: `
    select r.schema, r.name, r.type, array_agg(a.attname::text order by a.attname) as sensitive_columns
    from relation r
    join pg_attribute a on a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped
    where r.kind in ('r', 'p') and r.is_own and r.is_exposed and not r.has_rls
      and exists (select from api_role p where has_column_privilege(p.oid, r.oid, a.attnum, 'select'))
      and replace(lower(a.attname), '-', '_') in (${SENSITIVE_NAMES.map((name) => `'${name}'`).join(', ')})
    group by r.schema, r.name, r.type
    order by r.schema, r.name`,
  report: (row) => ({
    detail: `Clients can read these columns of table ${row.schema}.${row.name} without row-level security: ${row.sensitive_columns.join(', ')}.`,
    metadata: row,
    key: [row.schema, row.name],
  }),
});
