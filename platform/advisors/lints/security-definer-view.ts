import { defineLint } from '../lint.ts';

/** 0010: views of the data API that read with the rights of their owner. */
export const securityDefinerView = defineLint<{ schema: string; name: string; type: string }>({
  name: 'security_definer_view',
  title: 'Security Definer View',
  level: 'ERROR',
  category: 'SECURITY',
  description:
    'A view reads its tables with the rights and policies of its owner instead of those of the client, unless it has security_invoker.',
  remediation: 'Set the option: alter view … set (security_invoker = on).',
  sql: `
    select r.schema, r.name, r.type
    from relation r
    where r.kind = 'v' and r.is_own and r.is_exposed and r.is_readable and not r.is_invoker
    order by r.schema, r.name`,
  report: (row) => ({
    detail: `View ${row.schema}.${row.name} reads its tables with the rights of its owner.`,
    metadata: row,
    key: [row.schema, row.name],
  }),
});
