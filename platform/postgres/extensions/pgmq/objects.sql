-- Objects of the placeholder of pgmq; the functions that raise an error are created after them.

create type pgmq.message_record as (
  msg_id bigint,
  read_ct int,
  enqueued_at timestamptz,
  vt timestamptz,
  message jsonb,
  headers jsonb
);
