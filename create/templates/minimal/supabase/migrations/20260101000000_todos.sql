-- The todos of users. Each user reads and changes their own only.
create table public.todos (
  id bigint generated always as identity primary key,
  owner_id uuid not null default auth.uid() references auth.users on delete cascade,
  title text not null check (char_length(title) between 1 and 200),
  is_done boolean not null default false,
  created_at timestamptz not null default now()
);

create index on public.todos (owner_id);

alter table public.todos enable row level security;

create policy "users manage their todos" on public.todos
  for all to authenticated
  using (owner_id = (select auth.uid()))
  with check (owner_id = (select auth.uid()));

grant select, insert, update, delete on public.todos to authenticated;
