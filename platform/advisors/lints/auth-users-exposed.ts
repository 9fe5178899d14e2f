import { defineLint } from '../lint.ts';

/** 0002: views of the data API that read `auth.users` with the rights of their owner. */
export const authUsersExposed = defineLint<{
  schema: string;
  name: string;
  type: string;
  exposed_to: string[];
}>({
  name: 'auth_users_exposed',
  title: 'Exposed Auth Users',
  level: 'ERROR',
  category: 'SECURITY',
  description:
    'A view of the data API that reads auth.users shows accounts to clients, because row-level security does not apply to it.',
  remediation:
    'Drop the view, revoke its rights from anon and authenticated, or copy the columns that clients need into a table with policies.',
  sql: `
    select
      r.schema, r.name, r.type,
      array(
        select a.name from api_role a where has_any_column_privilege(a.oid, r.oid, 'select') order by a.name
      ) as exposed_to
    from relation r
    where r.kind in ('v', 'm') and r.is_exposed and r.is_readable
      and exists (
        select from pg_rewrite w
        join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = w.oid
        where w.ev_class = r.oid and d.refclassid = 'pg_class'::regclass
          and d.refobjid = to_regclass('auth.users')
      )
      and not (
        r.is_invoker and (select u.relrowsecurity from pg_class u where u.oid = to_regclass('auth.users'))
      )
    order by r.schema, r.name`,
  report: (row) => ({
    detail: `The ${row.type} ${row.schema}.${row.name} shows rows of auth.users to ${row.exposed_to.join(' and ')}.`,
    metadata: row,
    key: [row.schema, row.name],
  }),
});
