-- The log of changes that administrators made. It belongs to a role of the service, which has no other rights, so that SQL of
-- the admin area, which runs as postgres, cannot change it.

do $$
begin
  if to_regrole('greenroom_meta') is null then
    create role greenroom_meta with noinherit;
    comment on role greenroom_meta is 'Owns the audit log of the admin area.';
  end if;
  if not (select rolsuper from pg_catalog.pg_roles where rolname = current_user) then
    grant greenroom_meta to current_user;
  end if;
end
$$;

-- Owners of tables need the right to create some.
grant usage, create on schema greenroom to greenroom_meta;

create table greenroom.audit_log (
  id bigint generated always as identity primary key,
  -- Written before the change, so that a change whose outcome is unknown has an entry.
  created_at timestamptz not null default now(),
  -- The administrator. No foreign key: entries outlive accounts.
  actor_id uuid,
  actor_email text,
  actor_address inet,
  request_id text,
  -- Noun and verb, such as `user.ban`.
  action text not null check (action ~ '^[a-z_]+\.[a-z_]+$'),
  -- The name of the changed object, such as `public.notes` or the id of a user.
  target text not null,
  -- One sentence for lists.
  summary text not null,
  before jsonb,
  after jsonb,
  -- SQL that undoes the change; null if it cannot be undone.
  undo_sql text,
  outcome text not null default 'started' check (outcome in ('started', 'done', 'failed')),
  error text,
  finished_at timestamptz,
  -- The entry of the change that undid this one.
  undone_by bigint references greenroom.audit_log (id) on delete set null
);
comment on table greenroom.audit_log is 'Changes of administrators.';

create index audit_log_target on greenroom.audit_log (target, id);
create index audit_log_actor on greenroom.audit_log (actor_id, id);
create index audit_log_undone_by on greenroom.audit_log (undone_by) where undone_by is not null;

alter table greenroom.audit_log enable row level security;
alter table greenroom.audit_log owner to greenroom_meta;
-- The owner would be exempt from row-level security, and is the only role with rights.
revoke create on schema greenroom from greenroom_meta;
