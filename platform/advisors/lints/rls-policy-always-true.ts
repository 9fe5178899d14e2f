import { defineLint } from '../lint.ts';

/** 0024: policies that allow every write. Policies of SELECT are often public on purpose. */
export const rlsPolicyAlwaysTrue = defineLint<{
  schema: string;
  name: string;
  type: string;
  policy_name: string;
  command: string;
  roles: string[];
  qual: string | null;
  with_check: string | null;
}>({
  name: 'rls_policy_always_true',
  title: 'RLS Policy Always True',
  level: 'WARN',
  category: 'SECURITY',
  description:
    'A policy whose condition is always true allows clients to write all rows, as without row-level security.',
  remediation: 'Write a condition, e.g. owner = (select auth.uid()), or limit the policy to other roles.',
  sql: `
    select p.schema, p.name, p.type, p.policy_name, p.command, p.roles, p.qual, p.with_check
    from policy p
    where p.is_own and p.has_rls and p.is_permissive and p.roles && array['public', 'anon', 'authenticated']
    order by p.schema, p.name, p.policy_name`,
  report(row) {
    const { command, qual, with_check: check } = row;
    const allowsRows = ['UPDATE', 'DELETE', 'ALL'].includes(command) && isAlwaysTrue(qual);
    // UPDATE and ALL check new rows by the first expression if the policy has no second one.
    const allowsNewRows = ['INSERT', 'UPDATE', 'ALL'].includes(command) && isAlwaysTrue(check ?? qual);
    if (!allowsRows && !allowsNewRows) return undefined;
    return {
      detail: `The policy ${row.policy_name} of table ${row.schema}.${row.name} allows ${row.roles.join(', ')} every ${command === 'ALL' ? 'write' : command}.`,
      metadata: { ...row, permissive_using: allowsRows, permissive_with_check: allowsNewRows },
      key: [row.schema, row.name, row.policy_name],
    };
  },
});

/** PostgreSQL prints the expressions in parentheses. A missing expression allows nothing. */
function isAlwaysTrue(expression: string | null): boolean {
  return ['true', '1=1'].includes((expression ?? '').replaceAll(/[\s()]/g, ''));
}
