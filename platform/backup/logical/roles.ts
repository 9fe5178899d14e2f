/**
 * Roles that a database refers to, directly or through memberships. Roles belong to the whole server, and a dump of a
 * database does not contain them.
 */
import type { SnapshotSession } from '@greenroom/dump';
import { z } from 'zod';

/** Settings of a role or a database, as `name=value`. */
const settings = z.array(z.string());

const rolesSchema = z.object({
  /** The role that made the backup: the owner of the database. */
  owner: z.string(),
  database: z.object({
    settings,
    /** Null if the rights were never changed. */
    grants: z
      .array(
        z.object({
          /** Null: all roles. */
          grantee: z.string().nullable(),
          privilege: z.string(),
          isGrantable: z.boolean(),
        }),
      )
      .nullable(),
  }),
  roles: z.array(
    z.object({
      name: z.string(),
      superuser: z.boolean(),
      inherit: z.boolean(),
      createrole: z.boolean(),
      createdb: z.boolean(),
      login: z.boolean(),
      replication: z.boolean(),
      bypassrls: z.boolean(),
      connectionLimit: z.int(),
      validUntil: z.string().nullable(),
      /** The stored verifier; null if there is none, or if the owner may not read it. */
      password: z.string().nullable(),
      settings,
      /** Settings for this database only. */
      databaseSettings: settings,
    }),
  ),
  memberships: z.array(
    z.object({
      role: z.string(),
      member: z.string(),
      admin: z.boolean(),
      inherit: z.boolean(),
      set: z.boolean(),
    }),
  ),
});

/** Roles, their memberships and settings, and the settings of the database. */
export type DatabaseRoles = z.infer<typeof rolesSchema>;

/** Checks the part of a backup. Throws if it is invalid. */
export function parseRoles(value: unknown): DatabaseRoles {
  return rolesSchema.parse(value);
}

/** Predefined roles exist on each server; they are granted to many roles that have nothing to do with this database. */
const OF_DATABASE = `
  with recursive current as (select oid from pg_catalog.pg_database where datname = current_database()),
  used as (
    select refobjid as id from pg_catalog.pg_shdepend, current
      where refclassid = 'pg_catalog.pg_authid'::regclass
        and (dbid = current.oid or (classid = 'pg_catalog.pg_database'::regclass and objid = current.oid))
    union select setrole from pg_catalog.pg_db_role_setting, current where setdatabase = current.oid and setrole <> 0
    union select oid from pg_catalog.pg_roles where rolname = current_user
    union select relowner from pg_catalog.pg_class where oid >= 16384
    union select proowner from pg_catalog.pg_proc where oid >= 16384
    union select nspowner from pg_catalog.pg_namespace where oid >= 16384
  ),
  connected as (
    select id from used
    union
    select case when membership.roleid = connected.id then membership.member else membership.roleid end
    from connected
    join pg_catalog.pg_auth_members membership on connected.id in (membership.roleid, membership.member)
    join pg_catalog.pg_roles role on role.oid = connected.id and role.rolname !~ '^pg_'
  )`;

const rolesQuery = (password: string) => `
  ${OF_DATABASE}
  select rolname as name, rolsuper as superuser, rolinherit as inherit, rolcreaterole as createrole,
    rolcreatedb as createdb, rolcanlogin as login, rolreplication as replication, rolbypassrls as bypassrls,
    rolconnlimit as "connectionLimit", rolvaliduntil::text as "validUntil", ${password} as password,
    coalesce((select to_json(setconfig) from pg_catalog.pg_db_role_setting
      where setrole = role.oid and setdatabase = 0), '[]') as settings,
    coalesce((select to_json(setconfig) from pg_catalog.pg_db_role_setting, current
      where setrole = role.oid and setdatabase = current.oid), '[]') as "databaseSettings"
  from pg_catalog.pg_roles role
  where role.oid in (select id from connected) and rolname !~ '^pg_'
  order by rolname collate "C"`;

/** Before PostgreSQL 16, whether a member inherits rights was an attribute of the member. */
const membershipsQuery = (hasOptions: boolean) => `
  ${OF_DATABASE}
  select role.rolname as role, member.rolname as member, bool_or(admin_option) as admin,
    ${hasOptions ? 'bool_or(inherit_option) as inherit, bool_or(set_option) as set' : 'bool_or(member.rolinherit) as inherit, true as set'}
  from pg_catalog.pg_auth_members membership
  join pg_catalog.pg_roles role on role.oid = membership.roleid
  join pg_catalog.pg_roles member on member.oid = membership.member
  where member.oid in (select id from connected) and member.rolname !~ '^pg_'
  group by 1, 2
  order by role.rolname collate "C", member.rolname collate "C"`;

const DATABASE = `
  select
    coalesce((select to_json(setconfig) from pg_catalog.pg_db_role_setting
      where setdatabase = database.oid and setrole = 0), '[]') as settings,
    case when datacl is null then null else coalesce(
      (select json_agg(json_build_object('privilege', privilege_type, 'isGrantable', is_grantable, 'grantee',
        case grantee when 0 then null else pg_catalog.pg_get_userbyid(grantee) end))
      from pg_catalog.aclexplode(datacl)), '[]') end as grants
  from pg_catalog.pg_database database where datname = current_database()`;

interface Reader {
  owner: string;
  readsPasswords: boolean;
  hasOptions: boolean;
}

/** Reads roles in the transaction of a snapshot. Passwords are read only if the role may read them: as a superuser. */
export async function readRoles(session: SnapshotSession): Promise<DatabaseRoles> {
  const [reader] = await session.query<Reader>(`select current_user as owner,
    has_table_privilege('pg_catalog.pg_authid', 'select') as "readsPasswords",
    current_setting('server_version_num')::int >= 160000 as "hasOptions"`);
  const { owner = '', readsPasswords = false, hasOptions = false } = reader ?? {};
  const password = readsPasswords
    ? '(select rolpassword from pg_catalog.pg_authid where pg_authid.oid = role.oid)'
    : 'null';
  const [database] = await session.query<DatabaseRoles['database']>(DATABASE);
  return rolesSchema.parse({
    owner,
    database,
    roles: await session.query(rolesQuery(password)),
    memberships: await session.query(membershipsQuery(hasOptions)),
  });
}
