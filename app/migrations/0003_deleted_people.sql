-- Who is no longer in auth.users: nothing in storage refers to that table, so their files and pictures would stay. The
-- app's server removes them by the storage API, since a row that is deleted by SQL leaves its content behind. Plain SQL for
-- any database that has the schema auth, the hosted service's among them, and it may run more than once.
create table if not exists public.greenroom_deleted_people (
  id uuid primary key,
  deleted_at timestamptz not null default now()
);
comment on table public.greenroom_deleted_people is 'People whose accounts are deleted, until what they left in storage is gone.';
alter table public.greenroom_deleted_people enable row level security;
revoke all on public.greenroom_deleted_people from anon, authenticated;
grant select, delete on public.greenroom_deleted_people to service_role;

-- Whoever may delete a user may not write here.
create or replace function public.greenroom_note_deleted_person() returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  insert into public.greenroom_deleted_people (id) values (old.id)
  on conflict (id) do update set deleted_at = excluded.deleted_at;
  return null;
end
$$;
revoke execute on function public.greenroom_note_deleted_person() from public, anon, authenticated;
create or replace trigger greenroom_note_deleted_person after delete on auth.users
  for each row execute function public.greenroom_note_deleted_person();
