-- `alter extension … set schema …` by the owner of the extension, as on the hosted service. The objects of a trusted extension
-- belong to the superuser, so PostgreSQL refuses it. Before the statement, an event trigger moves the extension as the
-- superuser. PostgreSQL then checks the rights of the caller on the extension and on the schema, and has nothing left to do.

do $do$
begin
  if not greenroom.has_hosted_roles() then
    return;
  end if;

  create function greenroom.move_extension() returns event_trigger
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  -- Functions of other event triggers, which may call those of a project, must not run as the superuser.
  set event_triggers = off
  as $$
  declare
    -- PostgreSQL's spaces and comments, except nested comments. Without backslashes, whose meaning a session can change.
    line_end constant text := concat(chr(10), chr(13));
    gap constant text := concat(
      '(?:[ ', chr(9), chr(11), chr(12), line_end, ']|--[^', line_end, ']*(?:[', line_end, ']|$)',
      '|/[*](?:[^*/]|[*](?!/)|/(?![*]))*[*]/)'
    );
    identifier constant text := '("(?:[^"]|"")+"|[A-Za-z_][A-Za-z0-9_$]*)';
    -- The statement must be all that the client has sent: a function, a block or a list of statements does not match.
    names text[] := regexp_match(
      current_query(),
      concat(
        '^', gap, '*alter', gap, '+extension', gap, '+', identifier, gap, '+set', gap, '+schema', gap, '+', identifier,
        '(?:', gap, '|;)*$'
      ),
      'i'
    );
    caller constant name := coalesce(nullif(current_setting('role'), 'none'), session_user);
    target record;
  begin
    if names is null then
      return;
    end if;
    for i in 1..2 loop
      names[i] := case
        when left(names[i], 1) = '"' then replace(substr(names[i], 2, length(names[i]) - 2), '""', '"')
        else lower(names[i] collate "C")
      end;
    end loop;

    select extname, nspname into target
      from pg_extension
        join pg_roles on pg_roles.oid = extowner
        join pg_namespace on nspname = names[2]
      where extname = names[1]
        and extnamespace <> pg_namespace.oid
        and extrelocatable
        and rolname = caller
        and not rolsuper
        and has_schema_privilege(extowner, pg_namespace.oid, 'create')
        -- The schemas of services (0011).
        and nspname not in ('auth', 'storage', 'realtime')
        and exists (
          select from pg_available_extension_versions as available
          where available.name = extname and available.version = extversion and available.trusted
        );
    if found then
      execute format('alter extension %I set schema %I', target.extname, target.nspname);
      -- The data API reads the schema again.
      perform pg_notify('pgrst', 'reload schema');
    end if;
  end
  $$;
  revoke execute on function greenroom.move_extension() from public;

  create event trigger greenroom_move_extension on ddl_command_start when tag in ('ALTER EXTENSION')
    execute function greenroom.move_extension();
  -- Also with `session_replication_role = replica`, which postgres may set.
  alter event trigger greenroom_move_extension enable always;
end
$do$;
