/** The schema of restored tables in the live database: only its owner has rights. */
import { quoteIdentifier, quoteLiteral, type Session } from '@greenroom/postgres';
import { numberedNames } from './restored-names.ts';

const COMMENT = 'Restored tables. Remove the schema when you do not need them any more.';

const STATE = `
  select n.nspowner = (select r.oid from pg_catalog.pg_roles r where r.rolname = current_user)
    and pg_catalog.obj_description(n.oid, 'pg_namespace') is not distinct from $2
    and not exists (select from pg_catalog.aclexplode(n.nspacl) acl where acl.grantee <> n.nspowner) as "isReusable"
  from pg_catalog.pg_namespace n where n.nspname = $1`;

/** Returns the name of the schema, which an earlier restore may have created. A number is added if it is taken. */
export async function ensureRestoredSchema(session: Session, wanted: string): Promise<string> {
  for (const name of numberedNames(wanted)) {
    const [[found] = []] = await session.batch([{ text: STATE, values: [name, COMMENT] }]);
    if (found?.isReusable === true) return name;
    if (found !== undefined) continue;
    const schema = quoteIdentifier(name);
    await session.batch([
      { text: `create schema ${schema}` },
      { text: `comment on schema ${schema} is ${quoteLiteral(COMMENT)}` },
    ]);
    await revokeFromOthers(session, {
      kind: 'schema',
      name: schema,
      grants: {
        text: `select a.grantee, r.rolname from pg_catalog.pg_namespace n cross join pg_catalog.aclexplode(n.nspacl) a
          left join pg_catalog.pg_roles r on r.oid = a.grantee where n.nspname = $1 and a.grantee <> n.nspowner`,
        values: [name],
      },
    });
    return name;
  }
  throw new RangeError('numbers do not end');
}

/** Returns `schema.name` with the quotes that it needs: after a schema, a keyword needs none. */
export function restoredTableName(schema: string, name: string): string {
  return `${schema}.${/^[a-z_][a-z0-9_]*$/.test(name) ? name : quoteIdentifier(name)}`;
}

/** Creates a table with these columns, under a name with a number if it is taken. Returns the name. */
export async function createRestoredTable(
  session: Session,
  options: { schema: string; wanted: string; columns: string; comment: string; isUnlogged: boolean },
): Promise<string> {
  const { schema, wanted, columns, comment, isUnlogged } = options;
  const name = await freeTable(session, schema, wanted);
  const table = restoredTableName(schema, name);
  await session.batch([
    { text: `create ${isUnlogged ? 'unlogged ' : ''}table ${table} (${columns})` },
    { text: `comment on table ${table} is ${quoteLiteral(comment)}` },
  ]);
  await revokeFromOthers(session, {
    kind: 'table',
    name: table,
    grants: {
      text: `select a.grantee, r.rolname from pg_catalog.pg_class c cross join pg_catalog.aclexplode(c.relacl) a
        left join pg_catalog.pg_roles r on r.oid = a.grantee
        where c.relnamespace = $1::pg_catalog.regnamespace and c.relname = $2 and a.grantee <> c.relowner`,
      values: [quoteIdentifier(schema), name],
    },
  });
  return name;
}

async function freeTable(session: Session, schema: string, wanted: string): Promise<string> {
  for (const name of numberedNames(wanted)) {
    const [rows = []] = await session.batch([
      {
        text: 'select from pg_catalog.pg_class where relnamespace = $1::pg_catalog.regnamespace and relname = $2',
        values: [quoteIdentifier(schema), name],
      },
    ]);
    if (rows.length === 0) return name;
  }
  throw new RangeError('numbers do not end');
}

/** Default privileges of the project may grant rights on all new schemas and tables. */
async function revokeFromOthers(
  session: Session,
  {
    kind,
    name,
    grants,
  }: { kind: 'schema' | 'table'; name: string; grants: { text: string; values: string[] } },
): Promise<void> {
  const [rows = []] = await session.batch([grants]);
  const roles = rows.map(({ rolname }) => (rolname === null ? 'public' : quoteIdentifier(String(rolname))));
  if (roles.length > 0)
    await session.batch([{ text: `revoke all on ${kind} ${name} from ${[...new Set(roles)].join(', ')}` }]);
}
