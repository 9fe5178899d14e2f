-- Moves extensions (0013) also by statements of blocks and of functions in PL/pgSQL: projects move an extension only if it
-- exists. As before, PostgreSQL checks the rights of the caller afterwards.

do $do$
begin
  if not greenroom.has_hosted_roles() then
    return;
  end if;

  create or replace function greenroom.move_extension() returns event_trigger
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
    statement constant text := concat(
      gap, '*alter', gap, '+extension', gap, '+', identifier, gap, '+set', gap, '+schema', gap, '+', identifier,
      '(?:', gap, '|;)*'
    );
    context text;
    names text[];
    caller constant name := coalesce(nullif(current_setting('role'), 'none'), session_user);
    target record;
  begin
    -- The first line is about this function. The next ones are the statement of a block or of a function in PL/pgSQL; a client has
    -- sent the statement if there are none. A list of statements does not match.
    get diagnostics context = pg_context;
    if strpos(context, chr(10)) = 0 then
      names := regexp_match(current_query(), concat('^', statement, '$'), 'i');
    else
      names := regexp_match(
        substr(context, strpos(context, chr(10)) + 1),
        concat('^SQL statement "', statement, '"', chr(10), 'PL/pgSQL function '),
        'i'
      );
    end if;
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
end
$do$;
