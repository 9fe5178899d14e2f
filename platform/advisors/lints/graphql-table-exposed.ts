import { defineLint, type Lint } from '../lint.ts';

/**
 * 0026 and 0027: tables and views that a role can find by GraphQL. The placeholder of pg_graphql has no functions in C, and
 * answers no query.
 */
function graphqlTableExposed(role: 'anon' | 'authenticated', title: string): Lint {
  return defineLint<{ schema: string; name: string; type: string }>({
    name: `pg_graphql_${role}_table_exposed`,
    title,
    level: 'WARN',
    category: 'SECURITY',
    description: `With pg_graphql, the names and columns of all tables and views that ${role} may read are part of the GraphQL schema that this role can query.`,
    remediation: `Revoke select from ${role}, or drop the extension pg_graphql if no client uses GraphQL.`,
    sql: `
      select r.schema, r.name, r.type
      from relation r
      where r.kind in ('r', 'p', 'v', 'm') and r.is_own
        and exists (
          select from api_role a where a.name = '${role}' and has_any_column_privilege(a.oid, r.oid, 'select')
        )
        and exists (
          select from pg_extension e
          join pg_depend d on d.refclassid = 'pg_extension'::regclass and d.refobjid = e.oid
            and d.classid = 'pg_proc'::regclass and d.deptype = 'e'
          join pg_proc f on f.oid = d.objid
          join pg_language l on l.oid = f.prolang
          where e.extname = 'pg_graphql' and l.lanname = 'c'
        )
      order by r.schema, r.name`,
    report: (row) => ({
      detail: `The ${row.type} ${row.schema}.${row.name} is part of the GraphQL schema of ${role}.`,
      metadata: row,
      key: [row.schema, row.name],
    }),
  });
}

export const graphqlAnonTableExposed = graphqlTableExposed(
  'anon',
  'pg_graphql Anon Role Exposes Objects in Introspection',
);
export const graphqlAuthenticatedTableExposed = graphqlTableExposed(
  'authenticated',
  'pg_graphql Authenticated Role Exposes Objects in Introspection',
);
