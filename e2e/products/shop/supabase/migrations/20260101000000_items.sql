create table public.items (
  id bigint generated always as identity primary key,
  owner uuid not null default auth.uid() references auth.users (id) on delete cascade,
  title text not null
);
alter table public.items enable row level security;
create policy "owners" on public.items to authenticated using (owner = auth.uid()) with check (owner = auth.uid());
grant select, insert, delete on public.items to authenticated;
alter publication supabase_realtime add table public.items;
grant select on public.items to service_role;
