import { defineLint } from '../lint.ts';

/** 0006: several permissive policies for one role and action. Roles of the platform are left out. */
export const multiplePermissivePolicies = defineLint<{
  schema: string;
  name: string;
  type: string;
  role: string;
  action: string;
  policies: string[];
}>({
  name: 'multiple_permissive_policies',
  title: 'Multiple Permissive Policies',
  level: 'WARN',
  category: 'PERFORMANCE',
  description:
    'PostgreSQL evaluates all permissive policies of a role for an action, so several of them make each query slower.',
  remediation: 'Join the policies into one with the operator or, or limit them to different roles.',
  sql: `
    select
      p.schema, p.name, p.type, r.rolname as role, c.action,
      array_agg(p.policy_name order by p.policy_name) as policies
    from policy p
    join pg_roles r on p.role_oids @> array[r.oid] or p.role_oids = array[0::oid]
    cross join unnest(
      case p.command when 'ALL' then array['SELECT', 'INSERT', 'UPDATE', 'DELETE'] else array[p.command] end
    ) c(action)
    where p.is_own and p.is_permissive
      and r.rolname !~ '^(pg|supabase)_' and not r.rolbypassrls and not r.rolsuper
    group by p.schema, p.name, p.type, r.rolname, c.action
    having count(*) > 1
    order by p.schema, p.name, r.rolname, c.action`,
  report: ({ schema, name, type, role, action, policies }) => ({
    detail: `Table ${schema}.${name} has several permissive policies of ${role} for ${action}: ${policies.join(', ')}.`,
    metadata: { schema, name, type, role, action, policies },
    key: [schema, name, role, action],
  }),
});
