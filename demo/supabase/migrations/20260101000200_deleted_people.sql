-- Deleted accounts: nothing in storage refers to auth.users, so the files of these accounts would stay. The app's server
-- removes them by the storage API, because deleting rows by SQL leaves the content behind. The file may run more than once.
create table if not exists public.greenroom_deleted_people (
  id uuid primary key,
  deleted_at timestamptz not null default now()
);
comment on table public.greenroom_deleted_people is 'Deleted accounts whose files remain to be removed from storage.';
alter table public.greenroom_deleted_people enable row level security;
revoke all on public.greenroom_deleted_people from anon, authenticated;
grant select, delete on public.greenroom_deleted_people to service_role;

-- Roles that delete users have no access to the table.
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
