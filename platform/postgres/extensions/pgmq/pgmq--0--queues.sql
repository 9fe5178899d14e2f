-- Message queues. Names, parameters, columns and errors are those of pgmq 1.5.1; read also has the parameters of 1.4.4.
--
-- A queue is two tables: pgmq.q_<name> with its messages, and pgmq.a_<name> with those that were archived. They belong to the
-- role that creates the queue and are no members of the extension, so that dumps contain them.
--
-- All functions run with the rights and the search path of their caller, because triggers and policies of a project on these
-- tables do. They name the schema of each function that they call.

create or replace function pgmq.format_table_name(queue_name text, prefix text) returns text
language plpgsql
as $$
begin
  if queue_name is null or queue_name = '' then
    raise exception 'queue name is missing';
  end if;
  if queue_name ~ '[$;'']|--' then
    raise exception using
      message = pg_catalog.concat('queue name contains invalid characters: $, ;, --, or ', pg_catalog.chr(92), '''');
  end if;
  return pg_catalog.lower(prefix || '_' || queue_name);
end
$$;

create or replace function pgmq.validate_queue_name(queue_name text) returns void
language plpgsql
as $$
declare
  -- Names of tables and indexes have the rest of the 63 bytes of a name; PostgreSQL would cut off longer ones.
  max_bytes constant int := 47;
begin
  if pg_catalog.octet_length(queue_name) > max_bytes
    or pg_catalog.octet_length(pg_catalog.lower(queue_name)) > max_bytes
  then
    raise exception using
      message = 'queue name is too long, maximum length is 47 characters',
      detail = 'Characters other than those of ASCII count as several.';
  end if;
end
$$;

-- Until the end of the transaction, no other one creates or drops the queue.
create or replace function pgmq.acquire_queue_lock(queue_name text) returns void
language plpgsql
as $$
begin
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtext('pgmq.queue_' || pg_catalog.lower(queue_name)));
end
$$;

-- Creates the parts of a queue that do not exist. CREATE … IF NOT EXISTS and ADD COLUMN would lock those that do.
create or replace function pgmq._create_queue(queue_name text, is_unlogged boolean) returns void
language plpgsql
as $$
declare
  queue constant text := pgmq.format_table_name($1, 'q');
  archive constant text := pgmq.format_table_name($1, 'a');
  target text;
begin
  perform pgmq.validate_queue_name($1);
  perform pgmq.acquire_queue_lock($1);

  if pg_catalog.to_regclass(pg_catalog.format('pgmq.%I', queue)) is null then
    execute pg_catalog.format(
      'create %s table pgmq.%I (
        msg_id bigint primary key generated always as identity,
        read_ct int default 0 not null,
        enqueued_at timestamptz default now() not null,
        vt timestamptz not null,
        message jsonb,
        headers jsonb
      )',
      case when $2 then 'unlogged' else '' end, queue
    );
  end if;
  if pg_catalog.to_regclass(pg_catalog.format('pgmq.%I', archive)) is null then
    execute pg_catalog.format(
      'create table pgmq.%I (
        msg_id bigint primary key,
        read_ct int default 0 not null,
        enqueued_at timestamptz default now() not null,
        archived_at timestamptz default now() not null,
        vt timestamptz not null,
        message jsonb,
        headers jsonb
      )',
      archive
    );
  end if;

  -- Dumps of pgmq 1.4 create the tables without headers.
  foreach target in array array[queue, archive] loop
    if not exists (
      select from pg_catalog.pg_attribute
      where attrelid = pg_catalog.to_regclass(pg_catalog.format('pgmq.%I', target))
        and attname = 'headers' and not attisdropped
    ) then
      execute pg_catalog.format('alter table pgmq.%I add column headers jsonb', target);
    end if;
  end loop;

  if pg_catalog.to_regclass(pg_catalog.format('pgmq.%I', queue || '_vt_idx')) is null then
    execute pg_catalog.format('create index %I on pgmq.%I (vt)', queue || '_vt_idx', queue);
  end if;
  if pg_catalog.to_regclass(pg_catalog.format('pgmq.%I', 'archived_at_idx_' || $1)) is null then
    execute pg_catalog.format('create index %I on pgmq.%I (archived_at)', 'archived_at_idx_' || $1, archive);
  end if;

  insert into pgmq.meta (queue_name, is_partitioned, is_unlogged) values ($1, false, $2) on conflict do nothing;
end
$$;

create or replace function pgmq.create_non_partitioned(queue_name text) returns void
language plpgsql
as $$
begin
  perform pgmq._create_queue(queue_name, false);
end
$$;

create or replace function pgmq.create(queue_name text) returns void
language plpgsql
as $$
begin
  perform pgmq._create_queue(queue_name, false);
end
$$;

create or replace function pgmq.create_unlogged(queue_name text) returns void
language plpgsql
as $$
begin
  perform pgmq._create_queue(queue_name, true);
end
$$;

create or replace function pgmq._refuse_partitions() returns void
language plpgsql
as $$
begin
  raise exception using
    errcode = 'feature_not_supported',
    message = 'partitioned queues are not available',
    hint = 'Create the queue with pgmq.create, and delete old rows of its archive by their column archived_at.';
end
$$;

create or replace function pgmq.create_partitioned(
  queue_name text,
  partition_interval text default '10000',
  retention_interval text default '100000'
) returns void
language plpgsql
as $$
begin
  perform pgmq._refuse_partitions();
end
$$;

create or replace function pgmq.convert_archive_partitioned(
  table_name text,
  partition_interval text default '10000',
  retention_interval text default '100000',
  leading_partition int default 10
) returns void
language plpgsql
as $$
begin
  perform pgmq._refuse_partitions();
end
$$;

create or replace function pgmq.drop_queue(queue_name text) returns boolean
language plpgsql
as $$
declare
  queue constant text := pgmq.format_table_name($1, 'q');
  archive constant text := pgmq.format_table_name($1, 'a');
begin
  perform pgmq.acquire_queue_lock($1);
  if pg_catalog.to_regclass(pg_catalog.format('pgmq.%I', queue)) is null then
    raise notice 'pgmq queue `%` does not exist', $1;
    return false;
  end if;
  execute pg_catalog.format('drop table if exists pgmq.%I, pgmq.%I', queue, archive);
  -- Names that differ in case only are names of one queue.
  delete from pgmq.meta where pg_catalog.lower(meta.queue_name) = pg_catalog.lower($1);
  return true;
end
$$;

create or replace function pgmq.drop_queue(queue_name text, partitioned boolean) returns boolean
language plpgsql
as $$
begin
  raise warning 'drop_queue(queue_name, partitioned) is deprecated and will be removed in PGMQ v2.0. Use drop_queue(queue_name) instead';
  perform pgmq.drop_queue($1);
  return true;
end
$$;

-- In pgmq, it lets an archive outlive the extension. Here, each archive does.
create or replace function pgmq.detach_archive(queue_name text) returns void
language plpgsql
as $$
begin
  perform pg_catalog.format('pgmq.%I', pgmq.format_table_name($1, 'a'))::pg_catalog.regclass;
end
$$;

create or replace function pgmq.list_queues() returns setof pgmq.queue_record
language sql
as $$
  select queue_name, is_partitioned, is_unlogged, created_at from pgmq.meta
$$;

-- The lock of TRUNCATE is taken before the count, so that no message is removed without being counted.
create or replace function pgmq.purge_queue(queue_name text) returns bigint
language plpgsql
as $$
declare
  queue constant text := pgmq.format_table_name($1, 'q');
  removed bigint;
begin
  execute pg_catalog.format('lock table pgmq.%I in access exclusive mode', queue);
  execute pg_catalog.format('select count(*) from pgmq.%I', queue) into removed;
  execute pg_catalog.format('truncate table pgmq.%I', queue);
  return removed;
end
$$;

create or replace function pgmq.metrics(queue_name text) returns pgmq.metrics_result
language plpgsql
as $$
declare
  queue constant text := pgmq.format_table_name($1, 'q');
  result pgmq.metrics_result;
begin
  execute pg_catalog.format(
    'select
      $1,
      count(*),
      extract(epoch from now() - max(enqueued_at))::int,
      extract(epoch from now() - min(enqueued_at))::int,
      (select case when is_called then last_value else 0 end from pgmq.%I),
      now(),
      count(*) filter (where vt <= $2)
    from pgmq.%I',
    queue || '_msg_id_seq', queue
  ) into result using $1, pg_catalog.clock_timestamp();
  return result;
end
$$;

create or replace function pgmq.metrics_all() returns setof pgmq.metrics_result
language sql
as $$
  select metrics.* from pgmq.meta cross join lateral pgmq.metrics(meta.queue_name) as metrics
$$;
