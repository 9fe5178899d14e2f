-- Extensions whose files are missing have a control file with a script that refuses to run and names the command that adds the
-- files. If CREATE EXTENSION names a version, PostgreSQL reports that this version has no script. This event trigger raises the
-- error of the script before that.

do $do$
begin
  if not greenroom.has_hosted_roles() then
    return;
  end if;

  create function greenroom.explain_missing_extension() returns event_trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
  declare
    -- Spaces and comments, without backslashes, whose meaning a session can change.
    line_end constant text := concat(chr(10), chr(13));
    gap constant text := concat(
      '(?:[ ', chr(9), chr(11), chr(12), line_end, ']|--[^', line_end, ']*[', line_end, ']',
      '|/[*](?:[^*/]|[*](?!/)|/(?![*]))*[*]/)'
    );
    -- The first statement that the client has sent.
    names text[] := regexp_match(
      current_query(),
      concat(
        '^', gap, '*create', gap, '+extension', gap, '+(?:if', gap, '+not', gap, '+exists', gap, '+)?',
        '("(?:[^"]|"")+"|[A-Za-z_][A-Za-z0-9_$]*)(?:', gap, '|;|$)'
      ),
      'i'
    );
    missing record;
  begin
    if names is null then
      return;
    end if;
    select name, split_part(comment, ': ', 2) as command into missing
      from pg_available_extensions
      where name in (trim(both '"' from names[1]), lower(names[1] collate "C"))
        and default_version = 'missing'
        and installed_version is null;
    if found then
      raise exception using
        errcode = 'feature_not_supported',
        message = format('extension "%s" is not available', missing.name),
        detail = 'Its files are neither part of Greenroom nor of this instance.',
        hint = concat('Add its files for PostgreSQL 18: ', missing.command);
    end if;
  end
  $$;
  revoke execute on function greenroom.explain_missing_extension() from public;

  create event trigger greenroom_explain_missing_extension on ddl_command_start when tag in ('CREATE EXTENSION')
    execute function greenroom.explain_missing_extension();
  alter event trigger greenroom_explain_missing_extension enable always;
end
$do$;
