-- Saved queries and runs of the SQL page. They belong to the role of the service, so that SQL of the admin area, which runs as
-- postgres, cannot change those of other administrators.

grant usage, create on schema greenroom to greenroom_meta;

create table greenroom.saved_queries (
  id uuid primary key default gen_random_uuid(),
  name text not null check (length(name) between 1 and 200),
  sql text not null,
  -- An administrator. No foreign key: shared queries outlive accounts.
  owner_id uuid not null,
  -- Shared queries are shown to all administrators, who can also change them.
  is_shared boolean not null default false,
  -- Increases with each change, so that two administrators do not overwrite each other.
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by text
);
comment on table greenroom.saved_queries is 'Saved queries of the SQL page in the admin area.';
create index saved_queries_owner on greenroom.saved_queries (owner_id);
create index saved_queries_shared on greenroom.saved_queries (is_shared) where is_shared;

create table greenroom.sql_runs (
  id uuid primary key,
  -- The order of the history: two runs may have the same time.
  number bigint generated always as identity,
  actor_id uuid not null,
  sql text not null,
  role text not null,
  claims jsonb,
  read_only boolean not null,
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  outcome text not null default 'started' check (outcome in ('started', 'done', 'failed')),
  duration_ms double precision,
  row_count bigint,
  error text,
  -- JSON, for pages that were left during the run; removed after an hour.
  result text
);
comment on table greenroom.sql_runs is 'History of the SQL page in the admin area.';
create index sql_runs_actor on greenroom.sql_runs (actor_id, number);
create index sql_runs_result on greenroom.sql_runs (finished_at) where result is not null;

alter table greenroom.saved_queries enable row level security;
alter table greenroom.sql_runs enable row level security;
alter table greenroom.saved_queries owner to greenroom_meta;
alter table greenroom.sql_runs owner to greenroom_meta;
revoke create on schema greenroom from greenroom_meta;
