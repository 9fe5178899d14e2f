-- The functions of 0011 with less work for each statement: a migration with hundreds of statements runs them for each one.
-- They refuse the same changes.

create or replace function greenroom.protect_changed_objects() returns event_trigger
language plpgsql
set search_path = ''
as $$
declare
  changed record;
  is_of_service boolean;
  owner oid;
begin
  -- Always allowed. These statements change nothing else.
  if tg_tag in ('CREATE POLICY', 'ALTER POLICY', 'CREATE TRIGGER', 'GRANT', 'REVOKE') then
    return;
  end if;
  -- Only postgres, and roles that have its rights. A superuser has the rights of every role, so pg_roles, which takes a
  -- query, need not be read for others.
  if not pg_catalog.pg_has_role(current_user, 'postgres', 'usage') then
    return;
  end if;
  if pg_catalog.pg_has_role(current_user, 'supabase_admin', 'usage') then
    if exists (select from pg_catalog.pg_roles where rolname = current_user and rolsuper) then
      return;
    end if;
  end if;
  for changed in
    select classid, objid, command_tag, object_type, schema_name, object_identity
    from pg_catalog.pg_event_trigger_ddl_commands()
    where command_tag not in ('CREATE POLICY', 'ALTER POLICY', 'CREATE TRIGGER', 'GRANT', 'REVOKE')
      and not (command_tag = 'COMMENT' and object_type in ('policy', 'trigger'))
  loop
    is_of_service := coalesce(changed.schema_name in ('auth', 'storage', 'realtime'), false)
      or changed.object_type = 'schema' and changed.object_identity in ('auth', 'storage', 'realtime');
    if not is_of_service then
      -- Objects that the command has renamed or moved to another schema have the owner of their service. Parts of tables
      -- have neither schema nor owner.
      owner := null;
      case changed.classid
      when 'pg_catalog.pg_class'::regclass then
        select relowner into owner from pg_catalog.pg_class where oid = changed.objid;
      when 'pg_catalog.pg_proc'::regclass then
        select proowner into owner from pg_catalog.pg_proc where oid = changed.objid;
      when 'pg_catalog.pg_type'::regclass then
        select typowner into owner from pg_catalog.pg_type where oid = changed.objid;
      when 'pg_catalog.pg_namespace'::regclass then
        select nspowner into owner from pg_catalog.pg_namespace where oid = changed.objid;
      when 'pg_catalog.pg_rewrite'::regclass then
        is_of_service := exists (
          select from pg_catalog.pg_rewrite
          join pg_catalog.pg_class on pg_class.oid = ev_class
          join pg_catalog.pg_namespace on pg_namespace.oid = relnamespace
          where pg_rewrite.oid = changed.objid and nspname in ('auth', 'storage', 'realtime')
        );
      when 'pg_catalog.pg_publication_rel'::regclass then
        is_of_service := exists (
          select from pg_catalog.pg_publication_rel
          join pg_catalog.pg_class on pg_class.oid = prrelid
          join pg_catalog.pg_namespace on pg_namespace.oid = relnamespace
          where pg_publication_rel.oid = changed.objid and nspname in ('auth', 'storage', 'realtime')
        );
      else
        null;
      end case;
      is_of_service := is_of_service or owner is not null and pg_catalog.pg_get_userbyid(owner) in (
        'supabase_auth_admin', 'supabase_storage_admin', 'supabase_realtime_admin'
      );
    end if;
    continue when not is_of_service;
    -- Migrations of many projects repeat it. It changes nothing.
    continue when changed.command_tag = 'ALTER TABLE' and pg_catalog.current_query() ~* concat(
      '^(\s|--[^\n]*(\n|$))*alter\s+table\s+(if\s+exists\s+)?(only\s+)?"?(auth|storage|realtime)"?\."?\w+"?',
      '\s+enable\s+row\s+level\s+security[\s;]*$');
    raise exception using
      errcode = 'insufficient_privilege',
      message = case when changed.command_tag like 'CREATE %' and changed.schema_name is not null
        then concat('permission denied for schema ', changed.schema_name)
        else concat('must be owner of ', changed.object_type, ' ', changed.object_identity) end,
      detail = 'The schemas auth, storage and realtime belong to services, as on the hosted service.',
      hint = 'Policies, triggers and grants are allowed. Create other objects in a schema of the project.';
  end loop;
end
$$;

create or replace function greenroom.protect_dropped_objects() returns event_trigger
language plpgsql
set search_path = ''
as $$
declare
  dropped record;
begin
  -- Only postgres, and roles that have its rights.
  if not pg_catalog.pg_has_role(current_user, 'postgres', 'usage') then
    return;
  end if;
  if pg_catalog.pg_has_role(current_user, 'supabase_admin', 'usage') then
    if exists (select from pg_catalog.pg_roles where rolname = current_user and rolsuper) then
      return;
    end if;
  end if;
  for dropped in
    select * from pg_catalog.pg_event_trigger_dropped_objects()
    where object_type not in ('policy', 'trigger')
      and (
        schema_name in ('auth', 'storage', 'realtime')
        or object_type = 'schema' and object_identity in ('auth', 'storage', 'realtime')
      )
  loop
    raise exception using
      errcode = 'insufficient_privilege',
      message = concat('must be owner of ', dropped.object_type, ' ', dropped.object_identity),
      detail = 'The schemas auth, storage and realtime belong to services, as on the hosted service.',
      hint = 'Policies and triggers may be dropped.';
  end loop;
end
$$;
