-- Functions for messages. The version "queues", a step on the way, has those for queues.

create or replace function pgmq.send(queue_name text, msg jsonb, headers jsonb, delay timestamptz) returns setof bigint
language plpgsql
as $$
begin
  return query execute pg_catalog.format(
    'insert into pgmq.%I (vt, message, headers) values ($1, $2, $3) returning msg_id',
    pgmq.format_table_name($1, 'q')
  ) using delay, msg, headers;
end
$$;

create or replace function pgmq.send(queue_name text, msg jsonb) returns setof bigint
language sql
as $$
  select * from pgmq.send($1, $2, null::jsonb, pg_catalog.clock_timestamp())
$$;

create or replace function pgmq.send(queue_name text, msg jsonb, headers jsonb) returns setof bigint
language sql
as $$
  select * from pgmq.send($1, $2, $3, pg_catalog.clock_timestamp())
$$;

create or replace function pgmq.send(queue_name text, msg jsonb, delay int) returns setof bigint
language sql
as $$
  select * from pgmq.send($1, $2, null::jsonb, pg_catalog.clock_timestamp() + pg_catalog.make_interval(secs => $3))
$$;

create or replace function pgmq.send(queue_name text, msg jsonb, delay timestamptz) returns setof bigint
language sql
as $$
  select * from pgmq.send($1, $2, null::jsonb, $3)
$$;

create or replace function pgmq.send(queue_name text, msg jsonb, headers jsonb, delay int) returns setof bigint
language sql
as $$
  select * from pgmq.send($1, $2, $3, pg_catalog.clock_timestamp() + pg_catalog.make_interval(secs => $4))
$$;

create or replace function pgmq.send_batch(queue_name text, msgs jsonb[], headers jsonb[], delay timestamptz)
returns setof bigint
language plpgsql
as $$
begin
  return query execute pg_catalog.format(
    'insert into pgmq.%I (vt, message, headers)
    select $1, message, header
    from rows from (pg_catalog.unnest($2), pg_catalog.unnest($3)) with ordinality as sent (message, header, place)
    order by place
    returning msg_id',
    pgmq.format_table_name($1, 'q')
  ) using delay, msgs, headers;
end
$$;

create or replace function pgmq.send_batch(queue_name text, msgs jsonb[]) returns setof bigint
language sql
as $$
  select * from pgmq.send_batch($1, $2, null::jsonb[], pg_catalog.clock_timestamp())
$$;

create or replace function pgmq.send_batch(queue_name text, msgs jsonb[], headers jsonb[]) returns setof bigint
language sql
as $$
  select * from pgmq.send_batch($1, $2, $3, pg_catalog.clock_timestamp())
$$;

create or replace function pgmq.send_batch(queue_name text, msgs jsonb[], delay int) returns setof bigint
language sql
as $$
  select * from pgmq.send_batch(
    $1, $2, null::jsonb[], pg_catalog.clock_timestamp() + pg_catalog.make_interval(secs => $3)
  )
$$;

create or replace function pgmq.send_batch(queue_name text, msgs jsonb[], delay timestamptz) returns setof bigint
language sql
as $$
  select * from pgmq.send_batch($1, $2, null::jsonb[], $3)
$$;

create or replace function pgmq.send_batch(queue_name text, msgs jsonb[], headers jsonb[], delay int) returns setof bigint
language sql
as $$
  select * from pgmq.send_batch($1, $2, $3, pg_catalog.clock_timestamp() + pg_catalog.make_interval(secs => $4))
$$;

-- The time is a parameter, so that the planner may use either index: that of msg_id if the oldest messages are visible, and that
-- of vt if few are. PostgreSQL checks vt again after it has locked a row, so a message that another reader has just taken is
-- skipped.
create or replace function pgmq.read(queue_name text, vt int, qty int, conditional jsonb) returns setof pgmq.message_record
language plpgsql
as $$
declare
  queue constant text := pgmq.format_table_name($1, 'q');
begin
  return query execute pg_catalog.format(
    'with visible as (
      select msg_id from pgmq.%1$I
      where vt <= $1 %2$s
      order by msg_id
      limit $2
      for update skip locked
    ), taken as (
      update pgmq.%1$I as queue
      set vt = pg_catalog.clock_timestamp() + pg_catalog.make_interval(secs => $3), read_ct = read_ct + 1
      from visible
      where queue.msg_id = visible.msg_id
      returning queue.msg_id, queue.read_ct, queue.enqueued_at, queue.vt, queue.message, queue.headers
    )
    select * from taken order by msg_id',
    queue, case when conditional <> '{}' then 'and message @> $4' else '' end
  ) using pg_catalog.clock_timestamp(), qty, vt, conditional;
end
$$;

create or replace function pgmq.read(queue_name text, vt int, qty int) returns setof pgmq.message_record
language sql
as $$
  select * from pgmq.read($1, $2, $3, '{}'::jsonb)
$$;

create or replace function pgmq.read_with_poll(
  queue_name text,
  vt int,
  qty int,
  max_poll_seconds int default 5,
  poll_interval_ms int default 100,
  conditional jsonb default '{}'
) returns setof pgmq.message_record
language plpgsql
as $$
declare
  deadline constant timestamptz := pg_catalog.clock_timestamp() + pg_catalog.make_interval(secs => max_poll_seconds);
begin
  loop
    return query select * from pgmq.read($1, $2, $3, $6);
    exit when found or pg_catalog.clock_timestamp() >= deadline;
    perform pg_catalog.pg_sleep(poll_interval_ms / 1000.0::double precision);
  end loop;
end
$$;

create or replace function pgmq.pop(queue_name text) returns setof pgmq.message_record
language plpgsql
as $$
begin
  return query execute pg_catalog.format(
    'with visible as (
      select msg_id from pgmq.%1$I
      where vt <= $1
      order by msg_id
      limit 1
      for update skip locked
    )
    delete from pgmq.%1$I as queue using visible
    where queue.msg_id = visible.msg_id
    returning queue.msg_id, queue.read_ct, queue.enqueued_at, queue.vt, queue.message, queue.headers',
    pgmq.format_table_name($1, 'q')
  ) using pg_catalog.clock_timestamp();
end
$$;

create or replace function pgmq.set_vt(queue_name text, msg_id bigint, vt int) returns setof pgmq.message_record
language plpgsql
as $$
begin
  return query execute pg_catalog.format(
    'update pgmq.%I set vt = pg_catalog.clock_timestamp() + pg_catalog.make_interval(secs => $2)
    where msg_id = $1
    returning msg_id, read_ct, enqueued_at, vt, message, headers',
    pgmq.format_table_name($1, 'q')
  ) using msg_id, vt;
end
$$;

create or replace function pgmq.delete(queue_name text, msg_ids bigint[]) returns setof bigint
language plpgsql
as $$
begin
  return query execute pg_catalog.format(
    'delete from pgmq.%I where msg_id = any ($1) returning msg_id',
    pgmq.format_table_name($1, 'q')
  ) using msg_ids;
end
$$;

create or replace function pgmq.delete(queue_name text, msg_id bigint) returns boolean
language plpgsql
as $$
begin
  return exists (select from pgmq.delete($1, array[$2]));
end
$$;

create or replace function pgmq.archive(queue_name text, msg_ids bigint[]) returns setof bigint
language plpgsql
as $$
begin
  return query execute pg_catalog.format(
    'with removed as (
      delete from pgmq.%I where msg_id = any ($1)
      returning msg_id, read_ct, enqueued_at, vt, message, headers
    )
    insert into pgmq.%I (msg_id, read_ct, enqueued_at, vt, message, headers)
    select msg_id, read_ct, enqueued_at, vt, message, headers from removed
    returning msg_id',
    pgmq.format_table_name($1, 'q'), pgmq.format_table_name($1, 'a')
  ) using msg_ids;
end
$$;

create or replace function pgmq.archive(queue_name text, msg_id bigint) returns boolean
language plpgsql
as $$
begin
  return exists (select from pgmq.archive($1, array[$2]));
end
$$;

-- As on the hosted service, the objects belong to the owner of the extension.
do $do$
declare
  owner regrole;
  member record;
begin
  -- The schema may be one of the project, with functions that would replace those of PostgreSQL.
  perform pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
  select extowner into owner from pg_extension where extname = 'pgmq';
  for member in
    select 'function' as kind, objid::regprocedure::text as identity
      from pg_depend join pg_extension on refobjid = pg_extension.oid
      where extname = 'pgmq' and deptype = 'e' and classid = 'pg_proc'::regclass
        and refclassid = 'pg_extension'::regclass
    union all
    values
      ('table', 'pgmq.meta'),
      ('type', 'pgmq.message_record'),
      ('type', 'pgmq.queue_record'),
      ('type', 'pgmq.metrics_result')
  loop
    execute format('alter %s %s owner to %s', member.kind, member.identity, owner);
  end loop;

  execute 'grant usage on schema pgmq to pg_monitor';
  execute 'grant select on pgmq.meta to pg_monitor';
  execute format('alter default privileges for role %s in schema pgmq grant select on tables to pg_monitor', owner);
  execute format('alter default privileges for role %s in schema pgmq grant select on sequences to pg_monitor', owner);
end
$do$;

select pg_catalog.pg_extension_config_dump('pgmq.meta', '');
