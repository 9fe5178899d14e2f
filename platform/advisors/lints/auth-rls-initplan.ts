import { hasCallForEachRow } from '../calls-for-each-row.ts';
import { defineLint } from '../lint.ts';

/** 0003: policies that call functions about the request for each row. Policies of `realtime` belong to projects, too. */
export const authRlsInitplan = defineLint<{
  schema: string;
  name: string;
  type: string;
  policy_name: string;
  qual: string | null;
  with_check: string | null;
}>({
  name: 'auth_rls_initplan',
  title: 'Auth RLS Initialization Plan',
  level: 'WARN',
  category: 'PERFORMANCE',
  description:
    'PostgreSQL evaluates auth.uid(), auth.jwt(), auth.role(), auth.email() and current_setting() in a policy for each row, unless they are in a subquery.',
  remediation: 'Write the call as a subquery, e.g. (select auth.uid()) instead of auth.uid().',
  sql: `
    select p.schema, p.name, p.type, p.policy_name, p.qual, p.with_check
    from policy p
    where p.has_rls and (p.is_own or p.schema = 'realtime')
    order by p.schema, p.name, p.policy_name`,
  report({ qual, with_check: check, ...object }) {
    if (![qual, check].some((expression) => expression !== null && hasCallForEachRow(expression)))
      return undefined;
    const { schema, name, policy_name: policy } = object;
    return {
      detail: `The policy ${policy} of table ${schema}.${name} calls a function about the request for each row.`,
      metadata: object,
      key: [schema, name, policy],
    };
  },
});
