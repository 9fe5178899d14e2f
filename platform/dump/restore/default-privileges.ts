/**
 * Default privileges of the owner of a new database, which would also apply to the tables of a backup: pg_dump writes the
 * rights of each object, and default privileges after all objects.
 */
import type { ScriptConnection } from '@greenroom/psql';

const READ = `
  select format('alter default privileges in schema %s revoke %s on %s from %s', place, privilege, kind, grantee),
    format('alter default privileges in schema %s grant %s on %s to %s%s', place, privilege, kind, grantee, option)
  from (
    select pg_catalog.quote_ident(nspname) as place, privilege_type as privilege,
      case defaclobjtype when 'r' then 'tables' when 'S' then 'sequences' when 'f' then 'routines' else 'types' end as kind,
      case entry.grantee when 0 then 'public' else entry.grantee::pg_catalog.regrole::text end as grantee,
      case when is_grantable then ' with grant option' else '' end as option
    from pg_catalog.pg_default_acl
    join pg_catalog.pg_namespace on pg_namespace.oid = defaclnamespace,
    pg_catalog.aclexplode(defaclacl) as entry
    where defaclrole = current_user::pg_catalog.regrole
  ) privileges`;

/** Revokes the default privileges of the current role; returns the statements that grant them again. */
export async function revokeDefaultPrivileges(connection: ScriptConnection): Promise<readonly string[]> {
  const { rows } = await connection.run(READ);
  for (const [revoke] of rows) await connection.run(revoke ?? '');
  return rows.map(([, grant]) => grant ?? '');
}
