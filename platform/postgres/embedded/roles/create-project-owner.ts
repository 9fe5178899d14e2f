/** Creates `postgres`, the owner of the project's database, in a cluster whose superuser is `supabase_admin`. */
import { PROJECT_OWNER } from './role-names.ts';

/** The attributes that the role has on the hosted service. */
const CREATE = `create role ${PROJECT_OWNER} with login createdb createrole replication bypassrls`;

/** Returns the statements for a new cluster. They are applied in one transaction. */
export function createProjectOwner(): string[] {
  return [CREATE, `alter database postgres owner to ${PROJECT_OWNER}`];
}

/**
 * Returns the statements for a cluster that had `postgres` as its superuser: the new role also gets the memberships and
 * settings of the former one. They are applied in one transaction.
 */
export function recreateProjectOwner(): string[] {
  return [CREATE, TAKE_OVER];
}

/**
 * The superuser, whose id is always 10, must have no members and needs no memberships. Creating a role gives its creator
 * the right to administrate it; the project owner gets that for the roles that it would have created.
 */
const TAKE_OVER = `do $do$
declare
  project_owner constant oid := '${PROJECT_OWNER}'::regrole;
  entry record;
begin
  for entry in
    select roleid::regrole as granted, member::regrole as member, grantor::regrole as grantor,
        admin_option, inherit_option, set_option
      from pg_auth_members where 10 in (roleid, member)
  loop
    execute format('revoke %s from %s granted by %s cascade', entry.granted, entry.member, entry.grantor);
    execute format('grant %s to %s with admin %s, inherit %s, set %s',
      case entry.granted when 10::regrole then project_owner::regrole else entry.granted end,
      case entry.member when 10::regrole then project_owner::regrole else entry.member end,
      entry.admin_option::text, entry.inherit_option::text, entry.set_option::text);
  end loop;

  for entry in
    select rolname from pg_roles
    where oid >= 16384 and oid <> project_owner and not rolsuper and rolname not in (
      'anon', 'authenticated', 'service_role', 'authenticator', 'dashboard_user', 'supabase_auth_admin',
      'supabase_storage_admin', 'supabase_realtime_admin', 'supabase_admin_former'
    )
    -- Memberships cannot be circular.
    and not pg_has_role(oid, project_owner, 'member')
  loop
    execute format('grant %I to ${PROJECT_OWNER} with admin true, inherit false, set false', entry.rolname);
  end loop;

  update pg_db_role_setting set setrole = project_owner where setrole = 10;
  update pg_shdescription set objoid = project_owner where objoid = 10 and classoid = 'pg_authid'::regclass;
  select rolconnlimit, rolvaliduntil into entry from pg_roles where oid = 10;
  execute format('alter role ${PROJECT_OWNER} connection limit %s valid until %L',
    entry.rolconnlimit, coalesce(entry.rolvaliduntil::text, 'infinity'));
  alter role supabase_admin connection limit -1 valid until 'infinity';

  for entry in select spcname from pg_tablespace where spcowner = 10 and spcname !~ '^pg_'
  loop
    execute format('alter tablespace %I owner to ${PROJECT_OWNER}', entry.spcname);
  end loop;
end
$do$`;
