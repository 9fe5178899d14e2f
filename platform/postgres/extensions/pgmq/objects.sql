-- Objects of the placeholder of pgmq; the functions that raise an error are created after them. Queues have the tables of
-- pgmq, so that migrations that create queues, or grant rights on their tables, apply.

create type pgmq.message_record as (
  msg_id bigint,
  read_ct int,
  enqueued_at timestamptz,
  vt timestamptz,
  message jsonb,
  headers jsonb
);
create type pgmq.queue_record as (
  queue_name varchar,
  is_partitioned boolean,
  is_unlogged boolean,
  created_at timestamptz
);
create table pgmq.meta (
  queue_name varchar not null unique,
  is_partitioned boolean not null,
  is_unlogged boolean not null,
  created_at timestamptz not null default now()
);
-- The objects of a trusted extension belong to a superuser.
grant all on pgmq.meta to @extowner@ with grant option;

create function pgmq.create_non_partitioned(queue_name text, is_unlogged boolean default false)
returns void language plpgsql as $function$
#variable_conflict use_column
declare
  -- A column of a table has the rest of the 63 bytes of a name.
  max_length constant int := 47;
  kind constant text := case when $2 then 'unlogged' else '' end;
begin
  if length($1) > max_length then
    raise exception 'queue name is too long, maximum length is % characters', max_length;
  end if;
  execute format(
    'create %s table if not exists pgmq.%I (
      msg_id bigint primary key generated always as identity,
      read_ct int not null default 0,
      enqueued_at timestamptz not null default now(),
      vt timestamptz not null,
      message jsonb,
      headers jsonb
    )',
    kind, 'q_' || lower($1)
  );
  execute format(
    'create table if not exists pgmq.%I (
      msg_id bigint primary key,
      read_ct int not null default 0,
      enqueued_at timestamptz not null default now(),
      archived_at timestamptz not null default now(),
      vt timestamptz not null,
      message jsonb,
      headers jsonb
    )',
    'a_' || lower($1)
  );
  insert into pgmq.meta (queue_name, is_partitioned, is_unlogged) values ($1, false, $2)
    on conflict do nothing;
  raise notice using
    message = format('queue %L is created, but has no function', $1),
    hint = 'pgmq is a placeholder: messages cannot be sent.';
end
$function$;

create function pgmq.create(queue_name text)
returns void language sql as $function$ select pgmq.create_non_partitioned($1) $function$;

create function pgmq.create_unlogged(queue_name text)
returns void language sql as $function$ select pgmq.create_non_partitioned($1, true) $function$;

create function pgmq.drop_queue(queue_name text)
returns boolean language plpgsql as $function$
begin
  execute format('drop table if exists pgmq.%I, pgmq.%I', 'q_' || lower($1), 'a_' || lower($1));
  delete from pgmq.meta where meta.queue_name = $1;
  return found;
end
$function$;

create function pgmq.list_queues()
returns setof pgmq.queue_record language sql stable as $function$
  select queue_name, is_partitioned, is_unlogged, created_at from pgmq.meta
$function$;
