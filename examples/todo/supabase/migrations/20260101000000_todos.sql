create table public.todos (
  id bigint generated always as identity primary key,
  user_id uuid not null default auth.uid() references auth.users on delete cascade,
  title text not null check (length(title) between 1 and 200),
  is_done boolean not null default false,
  created_at timestamptz not null default now()
);

create index on public.todos (user_id);

alter table public.todos enable row level security;

-- The condition holds for all commands: users read and change their own rows only. `(select …)` is evaluated once for each
-- statement, not once for each row.
create policy "users manage their own todos" on public.todos
  for all to authenticated
  using (user_id = (select auth.uid()))
  with check (user_id = (select auth.uid()));
