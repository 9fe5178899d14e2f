import { defineLint } from '../lint.ts';

/** 0015: policies that depend on metadata that users can change. */
export const rlsReferencesUserMetadata = defineLint<{
  schema: string;
  name: string;
  type: string;
  policy_name: string;
}>({
  name: 'rls_references_user_metadata',
  title: 'RLS references user metadata',
  level: 'ERROR',
  category: 'SECURITY',
  description:
    'Users change their own user_metadata, so a policy that depends on it lets them choose their rights.',
  remediation: 'Use app_metadata, which only the service role changes, or a table.',
  sql: `
    select p.schema, p.name, p.type, p.policy_name
    from policy p
    where p.is_own
      and concat(p.qual, ' ', p.with_check) ~ '(auth\\.jwt\\(\\)|current_setting\\(.*request\\.jwt\\.claim).*user_metadata'
    order by p.schema, p.name, p.policy_name`,
  report: (row) => ({
    detail: `The policy ${row.policy_name} of table ${row.schema}.${row.name} depends on user_metadata.`,
    metadata: row,
    key: [row.schema, row.name, row.policy_name],
  }),
});
