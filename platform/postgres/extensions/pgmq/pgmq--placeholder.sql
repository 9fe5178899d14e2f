-- Placeholder: migrations and dumps that contain this extension can be applied; its functions raise an error.

do $$
declare
  minimum text := current_setting('client_min_messages');
begin
  -- CREATE EXTENSION suppresses notices of its scripts.
  perform set_config('client_min_messages', 'notice', true);
  raise notice using
    message = 'pgmq is a placeholder: queues are not available',
    hint = 'Functions of schema pgmq raise an error when they are called.';
  perform set_config('client_min_messages', minimum, true);
end
$$;

create type pgmq.message_record as (
  msg_id bigint,
  read_ct int,
  enqueued_at timestamptz,
  vt timestamptz,
  message jsonb,
  headers jsonb
);

do $script$
declare
  signature text;
begin
  foreach signature in array array[
    'pgmq.create(queue_name text) returns void',
    'pgmq.create_non_partitioned(queue_name text) returns void',
    'pgmq.create_unlogged(queue_name text) returns void',
    'pgmq.create_partitioned(queue_name text, partition_interval text default ''10000'', retention_interval text default ''100000'') returns void',
    'pgmq.drop_queue(queue_name text) returns boolean',
    'pgmq.purge_queue(queue_name text) returns bigint',
    'pgmq.list_queues() returns table (queue_name varchar, is_partitioned boolean, is_unlogged boolean, created_at timestamptz)',
    'pgmq.send(queue_name text, msg jsonb) returns setof bigint',
    'pgmq.send(queue_name text, msg jsonb, delay int) returns setof bigint',
    'pgmq.send(queue_name text, msg jsonb, delay timestamptz) returns setof bigint',
    'pgmq.send_batch(queue_name text, msgs jsonb[]) returns setof bigint',
    'pgmq.send_batch(queue_name text, msgs jsonb[], delay int) returns setof bigint',
    'pgmq.read(queue_name text, vt int, qty int, conditional jsonb default ''{}'') returns setof pgmq.message_record',
    'pgmq.read_with_poll(queue_name text, vt int, qty int, max_poll_seconds int default 5, poll_interval_ms int default 100, conditional jsonb default ''{}'') returns setof pgmq.message_record',
    'pgmq.pop(queue_name text) returns setof pgmq.message_record',
    'pgmq.set_vt(queue_name text, msg_id bigint, vt int) returns setof pgmq.message_record',
    'pgmq.delete(queue_name text, msg_id bigint) returns boolean',
    'pgmq.delete(queue_name text, msg_ids bigint[]) returns setof bigint',
    'pgmq.archive(queue_name text, msg_id bigint) returns boolean',
    'pgmq.archive(queue_name text, msg_ids bigint[]) returns setof bigint'
  ]
  loop
    execute format(
      $create$
        create function %s language plpgsql as $function$
        begin
          raise exception using errcode = 'feature_not_supported', message = %L, hint = %L;
        end
        $function$
      $create$,
      signature,
      format('%s is not available', split_part(signature, '(', 1)),
      'The extension pgmq is a placeholder: queues are not available.'
    );
  end loop;
end
$script$;
