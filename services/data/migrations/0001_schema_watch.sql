-- Tells whoever listens on `pgrst` that the schema has changed, so that the data API reads it again. Functions and
-- triggers have the names that the hosted service gives them. Only a superuser may make event triggers: without them,
-- `notify pgrst, 'reload schema'` does the same by hand.
create or replace function extensions.pgrst_ddl_watch() returns event_trigger
language plpgsql
as $$
begin
  if exists (
    select from pg_event_trigger_ddl_commands() as command
    where command.schema_name is distinct from 'pg_temp'
      and command.command_tag in (
        'CREATE SCHEMA', 'ALTER SCHEMA',
        'CREATE TABLE', 'CREATE TABLE AS', 'SELECT INTO', 'ALTER TABLE',
        'CREATE FOREIGN TABLE', 'ALTER FOREIGN TABLE',
        'CREATE VIEW', 'ALTER VIEW',
        'CREATE MATERIALIZED VIEW', 'ALTER MATERIALIZED VIEW',
        'CREATE FUNCTION', 'ALTER FUNCTION',
        'CREATE TRIGGER', 'CREATE RULE',
        'CREATE TYPE', 'ALTER TYPE',
        'CREATE DOMAIN', 'ALTER DOMAIN',
        'CREATE CAST', 'CREATE AGGREGATE', 'CREATE INDEX',
        'COMMENT'
      )
  ) then
    notify pgrst, 'reload schema';
  end if;
end
$$;

create or replace function extensions.pgrst_drop_watch() returns event_trigger
language plpgsql
as $$
begin
  if exists (
    select from pg_event_trigger_dropped_objects() as dropped
    where not dropped.is_temporary
      and dropped.object_type in (
        'schema', 'table', 'foreign table', 'view', 'materialized view', 'function', 'trigger', 'type', 'domain',
        'rule', 'cast', 'aggregate', 'table column', 'table constraint'
      )
  ) then
    notify pgrst, 'reload schema';
  end if;
end
$$;

do $$
begin
  if not exists (select from pg_event_trigger where evtname = 'pgrst_ddl_watch') then
    create event trigger pgrst_ddl_watch on ddl_command_end execute function extensions.pgrst_ddl_watch();
  end if;
  if not exists (select from pg_event_trigger where evtname = 'pgrst_drop_watch') then
    create event trigger pgrst_drop_watch on sql_drop execute function extensions.pgrst_drop_watch();
  end if;
exception
  when insufficient_privilege then
    raise notice 'changes of the schema are not noticed by themselves: event triggers need a superuser';
end
$$;
