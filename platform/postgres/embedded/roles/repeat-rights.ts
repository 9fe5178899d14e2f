/**
 * Repeats for the new `postgres` the rights that the former one had in a database as a grantee: after the superuser was
 * renamed, these entries name `supabase_admin`. Applied twice, the statements change nothing.
 */
import { PROJECT_OWNER, SUPERUSER } from './role-names.ts';

/** Default privileges without a schema replace the built-in ones, so these are revoked first. */
const DEFAULT_PRIVILEGES = `
  for entry in
    select defaclrole = 10 as is_own, defaclnamespace = 0 as is_global, defaclacl,
        'for role ' || case defaclrole when 10 then project_owner else defaclrole end::regrole
          || coalesce(' in schema ' || nullif(defaclnamespace, 0)::regnamespace::text, '') as target,
        case defaclobjtype
          when 'r' then 'tables' when 'S' then 'sequences' when 'f' then 'routines' when 'T' then 'types'
          when 'n' then 'schemas' else 'large objects'
        end as kind
      from pg_default_acl
      where defaclrole = 10 or exists (select from aclexplode(defaclacl) where grantee = 10)
  loop
    if entry.is_own and entry.is_global then
      execute format('alter default privileges %s revoke all on %s from public, ${PROJECT_OWNER}', entry.target, entry.kind);
    end if;
    for item in
      select privilege_type, is_grantable, case grantee when 10 then project_owner else grantee end as grantee
        from aclexplode(entry.defaclacl) where entry.is_own or grantee = 10
    loop
      execute format('alter default privileges %s grant %s on %s to %s%s', entry.target, item.privilege_type, entry.kind,
        case item.grantee when 0 then 'public' else item.grantee::regrole::text end,
        case when item.is_grantable and item.grantee <> 0 then ' with grant option' else '' end);
    end loop;
  end loop;`;

/** Repeats grants on objects that do not belong to the superuser: grants on its objects change with their owner. */
const GRANTS = `
  for entry in
    select class, object, keyword, privilege_type, is_grantable
      from (
        select 'pg_class'::regclass as class, oid as object, relowner as owner, relacl as acl,
            case relkind when 'S' then 'sequence' else 'table' end as keyword
          from pg_class where relkind in ('r', 'p', 'v', 'm', 'S', 'f')
        union all select 'pg_proc', oid, proowner, proacl, 'routine' from pg_proc
        union all select 'pg_namespace', oid, nspowner, nspacl, 'schema' from pg_namespace
        union all select 'pg_type', oid, typowner, typacl, 'type' from pg_type
        union all select 'pg_foreign_server', oid, srvowner, srvacl, 'foreign server' from pg_foreign_server
      ) as objects cross join lateral aclexplode(acl)
      where grantee = 10 and owner <> 10
  loop
    execute format('grant %s on %s %s to ${PROJECT_OWNER}%s', entry.privilege_type, entry.keyword,
      (pg_identify_object(entry.class, entry.object, 0)).identity,
      case when entry.is_grantable then ' with grant option' else '' end);
  end loop;
  for entry in select fdwname from pg_foreign_data_wrapper where fdwowner = 10
  loop
    execute format('grant usage on foreign data wrapper %I to ${PROJECT_OWNER} with grant option', entry.fdwname);
  end loop;`;

const POLICIES = `
  for entry in
    select polname, polrelid::regclass as relation, (
        select string_agg(case role when 10 then '${PROJECT_OWNER}' when 0 then 'public' else role::regrole::text end, ', ')
        from unnest(polroles) as role
      ) as roles
      from pg_policy where 10 = any (polroles)
  loop
    execute format('alter policy %I on %s to %s', entry.polname, entry.relation, entry.roles);
  end loop;`;

const USER_MAPPINGS = `
  for entry in
    select srvname, (select string_agg(format('%I %L', option_name, option_value), ', ')
        from pg_options_to_table(umoptions)) as options
      from pg_user_mappings where umuser = 10
  loop
    execute format('create user mapping if not exists for ${PROJECT_OWNER} server %I%s',
      entry.srvname, coalesce(' options (' || entry.options || ')', ''));
    execute format('drop user mapping for ${SUPERUSER} server %I', entry.srvname);
  end loop;`;

/** The statement for one database. */
export const REPEAT_RIGHTS = `do $do$
declare
  project_owner constant oid := '${PROJECT_OWNER}'::regrole;
  entry record;
  item record;
begin${DEFAULT_PRIVILEGES}${GRANTS}${POLICIES}${USER_MAPPINGS}
end
$do$`;
