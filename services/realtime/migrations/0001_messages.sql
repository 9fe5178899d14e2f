-- Messages of realtime channels: their table, the functions that SQL sends them with, and the publications that tell
-- about them and about changes of tables. Names and types as the hosted service has them. PostgreSQL 15 to 18; a
-- superuser is not required.

-- Whoever a request can be, realtime must be able to be: roles that a project grants to authenticator are among them.
-- It does not inherit what they may do.
grant authenticator to supabase_realtime_admin;

-- Only a superuser, and since PostgreSQL 16 whoever has the attribute, can give it. Without it, somebody else has to
-- read the write-ahead log for us.
do $$
begin
  alter role supabase_realtime_admin with replication;
exception
  when insufficient_privilege then
    raise notice 'supabase_realtime_admin has no attribute REPLICATION: only a role that has it can give it';
end
$$;

set local role supabase_realtime_admin;

-- Times are in UTC whatever the session's time zone is: they choose the partition, and the replay looks for them.
create table realtime.messages (
  topic text not null,
  extension text not null,
  payload jsonb,
  event text,
  private boolean default false,
  updated_at timestamp not null default timezone('utc', now()),
  inserted_at timestamp not null default timezone('utc', now()),
  id uuid not null default gen_random_uuid(),
  binary_payload bytea,
  primary key (id, inserted_at),
  constraint messages_payload_exclusive check (payload is null or binary_payload is null)
) partition by range (inserted_at);
create index messages_inserted_at_topic_index on realtime.messages (inserted_at desc, topic)
  where extension = 'broadcast' and private;
comment on table realtime.messages is 'Messages sent from SQL. Policies on it say who may read and write private channels.';
alter table realtime.messages enable row level security;
grant select, insert, update on realtime.messages to anon, authenticated, service_role;

-- Makes the partitions from yesterday to three days ahead, and drops those whose last row is older than 72 hours.
-- Whoever runs the service calls it by a timer. Several nodes may do so at once: the first one does it.
create function realtime.maintain_messages() returns void
language plpgsql security definer
set search_path = ''
-- Whoever holds a lock on the table for long must not make everybody else wait behind us: the next call comes.
set lock_timeout = '2s'
as $$
declare
  today date := timezone('utc', now())::date;
  day date;
  partition_name text;
begin
  -- Any constant will do, as long as it stays the same: it names the lock.
  if not pg_try_advisory_xact_lock(7403275812) then
    return;
  end if;
  for day in select today + ahead from generate_series(-1, 3) as ahead loop
    partition_name := to_char(day, '"messages_"YYYY_MM_DD');
    continue when to_regclass(format('realtime.%I', partition_name)) is not null;
    -- Made beside and attached: writers go on meanwhile.
    execute format('create table realtime.%I (like realtime.messages including defaults including constraints)', partition_name);
    execute format('alter table realtime.%I enable row level security', partition_name);
    execute format('alter table realtime.messages attach partition realtime.%I for values from (%L) to (%L)',
      partition_name, day::timestamp, (day + 1)::timestamp);
  end loop;
  for partition_name in
    select relname from pg_catalog.pg_inherits join pg_catalog.pg_class on pg_class.oid = inhrelid
    where inhparent = 'realtime.messages'::regclass and relname ~ '^messages_\d{4}_\d\d_\d\d$'
      and to_date(substr(relname, 10), 'YYYY_MM_DD') < today - 3
  loop
    execute format('drop table realtime.%I', partition_name);
  end loop;
exception
  when lock_not_available then
    raise warning 'partitions of realtime.messages are locked by somebody: %', sqlerrm;
end
$$;
revoke execute on function realtime.maintain_messages() from public;
comment on function realtime.maintain_messages() is 'Makes coming partitions of realtime.messages and drops old ones.';
select realtime.maintain_messages();

create function realtime.topic() returns text
language sql stable
as $$
  select nullif(current_setting('realtime.topic', true), '')
$$;
comment on function realtime.topic() is 'The topic of the channel that a policy decides about, or null.';

-- The functions that send run as whoever calls them: policies on realtime.messages hold. What fails is a warning, since
-- a message that cannot be sent must not undo what it tells about.
create function realtime.send(payload jsonb, event text, topic text, private boolean default true) returns void
language plpgsql
set search_path = ''
as $$
declare
  message_id uuid := gen_random_uuid();
begin
  if jsonb_typeof(payload) = 'object' and not payload ? 'id' then
    payload := payload || jsonb_build_object('id', message_id);
  end if;
  perform set_config('realtime.topic', topic, true);
  insert into realtime.messages (id, payload, event, topic, private, extension)
    values (message_id, payload, event, topic, private, 'broadcast');
exception
  when others then
    raise warning 'WarnSendingBroadcastMessage: %', sqlerrm;
end
$$;
comment on function realtime.send(jsonb, text, text, boolean) is 'Sends a broadcast to a channel when the transaction commits.';

create function realtime.send_binary(payload bytea, event text, topic text, private boolean default true) returns void
language plpgsql
set search_path = ''
as $$
begin
  perform set_config('realtime.topic', topic, true);
  insert into realtime.messages (binary_payload, event, topic, private, extension)
    values (payload, event, topic, private, 'broadcast');
exception
  when others then
    raise warning 'WarnSendingBroadcastMessage: %', sqlerrm;
end
$$;
comment on function realtime.send_binary(bytea, text, text, boolean) is 'Sends a broadcast of bytes to a channel when the transaction commits.';

create function realtime.broadcast_changes(
  topic_name text, event_name text, operation text, table_name text, table_schema text,
  new record, old record, level text default 'ROW'
) returns void
language plpgsql
set search_path = ''
as $$
begin
  if level = 'STATEMENT' then
    raise exception 'function can only be triggered for each row, not for each statement';
  end if;
  if operation is null or operation not in ('INSERT', 'UPDATE', 'DELETE') then
    raise exception 'Unexpected operation type: %', operation;
  end if;
  perform realtime.send(
    jsonb_build_object('old_record', old, 'record', new, 'operation', operation, 'table', table_name, 'schema', table_schema),
    event_name, topic_name);
exception
  when others then
    raise exception 'Failed to process the row: %', sqlerrm;
end
$$;
comment on function realtime.broadcast_changes(text, text, text, text, text, record, record, text) is
  'Sends a changed row to a private channel; for triggers on each row.';

reset role;

-- The owner of the database adds tables to supabase_realtime. Stored generated columns are published where the server
-- can do so (18): otherwise it would refuse updates of such tables under REPLICA IDENTITY FULL.
do $$
declare
  generated text := case when current_setting('server_version_num')::int >= 180000
    then 'publish_generated_columns = stored' end;
begin
  if not exists (select from pg_publication where pubname = 'supabase_realtime') then
    execute 'create publication supabase_realtime' || coalesce(' with (' || generated || ')', '');
  end if;
  if not exists (select from pg_publication where pubname = 'supabase_realtime_messages_publication') then
    execute 'create publication supabase_realtime_messages_publication for table realtime.messages with ('
      || concat_ws(', ', 'publish = ''insert''', 'publish_via_partition_root = true', generated) || ')';
  end if;
end
$$;
