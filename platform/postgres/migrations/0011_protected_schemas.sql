-- The schemas of services change only with their services, as on the hosted service. `postgres` has the rights of their
-- owners for policies, triggers and grants (0010); everything else that it does to them is refused here.

create function greenroom.protect_changed_objects() returns event_trigger
language plpgsql
set search_path = ''
as $$
declare
  changed record;
begin
  -- Only postgres, and roles that have its rights.
  if not pg_catalog.pg_has_role(current_user, 'postgres', 'usage')
    or exists (select from pg_catalog.pg_roles where rolname = current_user and rolsuper)
  then
    return;
  end if;
  for changed in
    select c.* from pg_catalog.pg_event_trigger_ddl_commands() as c
    where c.command_tag not in ('CREATE POLICY', 'ALTER POLICY', 'CREATE TRIGGER', 'GRANT', 'REVOKE')
      and not (c.command_tag = 'COMMENT' and c.object_type in ('policy', 'trigger'))
      and (
        c.schema_name in ('auth', 'storage', 'realtime')
        or c.object_type = 'schema' and c.object_identity in ('auth', 'storage', 'realtime')
        -- Parts of tables that have no schema themselves.
        or exists (
          select from pg_catalog.pg_class where relnamespace in (
            select oid from pg_catalog.pg_namespace where nspname in ('auth', 'storage', 'realtime')
          ) and oid in (
            select ev_class from pg_catalog.pg_rewrite
              where c.classid = 'pg_catalog.pg_rewrite'::regclass and oid = c.objid
            union all
            select prrelid from pg_catalog.pg_publication_rel
              where c.classid = 'pg_catalog.pg_publication_rel'::regclass and oid = c.objid
          )
        )
        -- Objects that the command has renamed, or moved to another schema.
        or exists (
          select from pg_catalog.pg_roles where rolname in (
            'supabase_auth_admin', 'supabase_storage_admin', 'supabase_realtime_admin'
          ) and oid in (
            select nspowner from pg_catalog.pg_namespace
              where c.classid = 'pg_catalog.pg_namespace'::regclass and oid = c.objid
            union all
            select relowner from pg_catalog.pg_class where c.classid = 'pg_catalog.pg_class'::regclass and oid = c.objid
            union all
            select proowner from pg_catalog.pg_proc where c.classid = 'pg_catalog.pg_proc'::regclass and oid = c.objid
            union all
            select typowner from pg_catalog.pg_type where c.classid = 'pg_catalog.pg_type'::regclass and oid = c.objid
          )
        )
      )
      -- Migrations of many projects repeat it. It changes nothing.
      and not (c.command_tag = 'ALTER TABLE' and pg_catalog.current_query() ~* concat(
        '^(\s|--[^\n]*(\n|$))*alter\s+table\s+(if\s+exists\s+)?(only\s+)?"?(auth|storage|realtime)"?\."?\w+"?',
        '\s+enable\s+row\s+level\s+security[\s;]*$'))
  loop
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

create function greenroom.protect_dropped_objects() returns event_trigger
language plpgsql
set search_path = ''
as $$
declare
  dropped record;
begin
  -- Only postgres, and roles that have its rights.
  if not pg_catalog.pg_has_role(current_user, 'postgres', 'usage')
    or exists (select from pg_catalog.pg_roles where rolname = current_user and rolsuper)
  then
    return;
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

revoke execute on function greenroom.protect_changed_objects(), greenroom.protect_dropped_objects() from public;

do $$
begin
  if greenroom.has_hosted_roles() then
    create event trigger greenroom_protect_changed_objects on ddl_command_end
      execute function greenroom.protect_changed_objects();
    create event trigger greenroom_protect_dropped_objects on sql_drop
      execute function greenroom.protect_dropped_objects();
    -- Also with `session_replication_role = replica`, which postgres may set.
    alter event trigger greenroom_protect_changed_objects enable always;
    alter event trigger greenroom_protect_dropped_objects enable always;
  end if;
end
$$;
