/** Dumps the roles of a project, as the Supabase CLI does with pg_dumpall: without passwords, and without hosted roles. */
import { openSession, quoteIdentifier, quoteLiteral } from '@greenroom/postgres';
import { DumpError } from './dump-error.ts';
import { RESERVED_ROLE } from './reserved-roles.ts';
import { settingText } from './setting-text.ts';

/** Settings that the owner of a hosted database may give to roles of the platform. */
const SETTINGS_OF_RESERVED =
  /^(?:pgaudit\..*|pgrst\..*|session_replication_role|statement_timeout|track_io_timing)$/;

/** Reads roles with their settings and memberships. */
export const ROLES_QUERY = `
select rolname as name, rolsuper as super, rolinherit as inherit, rolcreaterole as createrole, rolcreatedb as createdb,
  rolcanlogin as login, rolreplication as replication, rolbypassrls as bypassrls, rolconnlimit as "connectionLimit",
  rolvaliduntil::text as "validUntil",
  coalesce((select to_json(setconfig) from pg_db_role_setting where setrole = pg_roles.oid and setdatabase = 0), '[]')
    as settings,
  coalesce((select json_agg(json_build_object('name', granted.rolname, 'isAdmin', admin_option) order by granted.rolname)
    from pg_auth_members join pg_roles as granted on granted.oid = roleid where member = pg_roles.oid), '[]') as granted
from pg_roles order by rolname`;

interface Role {
  name: string;
  super: boolean;
  inherit: boolean;
  createrole: boolean;
  createdb: boolean;
  login: boolean;
  replication: boolean;
  bypassrls: boolean;
  connectionLimit: number;
  validUntil: string | null;
  /** `name=value` */
  settings: string[];
  granted: { name: string; isAdmin: boolean }[];
}

/** Returns the SQL that creates the roles. Throws `DumpError` if the database cannot be read. */
export async function dumpRoles(url: string): Promise<string> {
  const roles = await readRoles(url);
  const own = roles.filter(({ name }) => !RESERVED_ROLE.test(name));
  const lines = [
    ...own.flatMap(creationOf),
    ...roles.flatMap(settingsOf),
    ...own.flatMap(({ name, granted }) =>
      granted.map(
        (each) =>
          `GRANT ${quoteIdentifier(each.name)} TO ${quoteIdentifier(name)}${each.isAdmin ? ' WITH ADMIN OPTION' : ''};`,
      ),
    ),
  ];
  return [...lines, 'RESET ALL;', ''].join('\n');
}

async function readRoles(url: string): Promise<Role[]> {
  try {
    const session = await openSession({ url, applicationName: 'greenroom dump' });
    const [rows = []] = await session.batch([{ text: ROLES_QUERY }]).finally(() => session.close());
    return rows as unknown as Role[];
  } catch (error) {
    throw new DumpError(`the roles cannot be read from ${new URL(url).host}: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** Attributes that only a superuser may set are named only if the role has them. */
function creationOf(role: Role): string[] {
  const { name, connectionLimit, validUntil } = role;
  const flag = (word: string, isSet: boolean) => (isSet ? word : `NO${word}`);
  const attributes = [
    ...(role.super ? ['SUPERUSER'] : []),
    flag('INHERIT', role.inherit),
    flag('CREATEROLE', role.createrole),
    flag('CREATEDB', role.createdb),
    flag('LOGIN', role.login),
    ...(role.replication ? ['REPLICATION'] : []),
    flag('BYPASSRLS', role.bypassrls),
    ...(connectionLimit >= 0 ? [`CONNECTION LIMIT ${connectionLimit}`] : []),
    ...(validUntil === null ? [] : [`VALID UNTIL ${quoteLiteral(validUntil)}`]),
  ];
  const quoted = quoteIdentifier(name);
  return [`CREATE ROLE ${quoted};`, `ALTER ROLE ${quoted} WITH ${attributes.join(' ')};`];
}

function settingsOf({ name, settings }: Role): string[] {
  return settings.flatMap((text) => {
    const [setting = ''] = text.split('=', 1);
    if (RESERVED_ROLE.test(name) && !SETTINGS_OF_RESERVED.test(setting)) return [];
    return [`ALTER ROLE ${quoteIdentifier(name)} SET ${settingText(text)};`];
  });
}
