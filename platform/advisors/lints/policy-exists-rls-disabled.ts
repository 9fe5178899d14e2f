import { defineLint } from '../lint.ts';

/** 0007: policies of tables on which row-level security is disabled. */
export const policyExistsRlsDisabled = defineLint<{
  schema: string;
  name: string;
  type: string;
  policies: string[];
}>({
  name: 'policy_exists_rls_disabled',
  title: 'Policy Exists RLS Disabled',
  level: 'ERROR',
  category: 'SECURITY',
  description: 'Policies have no effect as long as row-level security is disabled on their table.',
  remediation: 'Enable row-level security: alter table … enable row level security.',
  sql: `
    select p.schema, p.name, p.type, array_agg(p.policy_name order by p.policy_name) as policies
    from policy p
    where p.is_own and not p.has_rls
    group by p.schema, p.name, p.type
    order by p.schema, p.name`,
  report: (row) => ({
    detail: `Row-level security is disabled on table ${row.schema}.${row.name}, which has policies: ${row.policies.join(', ')}.`,
    metadata: row,
    key: [row.schema, row.name],
  }),
});
