-- Queues hold messages. Databases of earlier versions have a placeholder of pgmq, by any version that a project has named, and
-- tables of queues without indexes.
do $do$
declare
  table_name text;
  column_name text;
  index_name text;
begin
  if not (select rolsuper from pg_catalog.pg_roles where rolname = current_user)
    or not exists (
      select from pg_catalog.pg_extension e
        join pg_catalog.pg_depend d on d.refclassid = 'pg_catalog.pg_extension'::regclass and d.refobjid = e.oid
      where e.extname = 'pgmq' and d.deptype = 'e' and d.classid = 'pg_catalog.pg_proc'::regclass
        and d.objid = to_regprocedure('pgmq.create_non_partitioned(text, boolean)')
    )
  then
    return;
  end if;

  update pg_catalog.pg_extension set extversion = 'placeholder' where extname = 'pgmq';
  alter extension pgmq update to '1.5.1';

  for table_name, column_name, index_name in
    select parts.table_name, parts.column_name, parts.index_name
    from pgmq.meta cross join lateral (
      values
        ('q_' || lower(queue_name), 'vt', 'q_' || lower(queue_name) || '_vt_idx'),
        ('a_' || lower(queue_name), 'archived_at', 'archived_at_idx_' || queue_name)
    ) as parts (table_name, column_name, index_name)
    -- A project may have changed its tables.
    join pg_catalog.pg_attribute on attrelid = to_regclass(format('pgmq.%I', parts.table_name))
      and attname = parts.column_name and not attisdropped and atttypid = 'timestamptz'::regtype
    where to_regclass(format('pgmq.%I', parts.index_name)) is null
  loop
    execute format('create index if not exists %I on pgmq.%I (%I)', index_name, table_name, column_name);
  end loop;
end
$do$;
