-- What nodes tell each other where there is no Redis. Nothing in it is older than a minute, and it need not outlive a
-- crash: nodes append once more what they had appended last.

set local role supabase_realtime_admin;

create unlogged table realtime.node_log (
  node text not null,
  -- Each node numbers its own entries: they are committed in this order.
  sequence bigint not null,
  entry bytea not null,
  -- Whether the node says goodbye.
  is_last boolean not null default false,
  kept_at timestamptz not null default clock_timestamp(),
  primary key (node, sequence)
);
create index node_log_kept_at_index on realtime.node_log (kept_at);
comment on table realtime.node_log is 'What nodes of realtime tell each other. Of no use to anybody else.';
-- Broadcasts of private channels are in it: nobody but the service may look, or write.
alter table realtime.node_log enable row level security;
revoke all on realtime.node_log from public, anon, authenticated, service_role;

reset role;
