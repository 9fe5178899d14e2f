-- The board of the home page: its notes, who may do what with them, and its realtime topic. Plain SQL for any database
-- that has the schemas auth and realtime, the hosted service's among them, and it may run more than once.
do $board$
begin
  -- A table of that name that is somebody else's stays as it is; the page then says that there is no board.
  if to_regclass('public.notes') is not null and not exists (
    select from pg_catalog.pg_attribute
    where attrelid = to_regclass('public.notes') and attname = 'owner_name' and not attisdropped
  ) then
    raise warning 'public.notes is not the table of the board, so there will be no board';
    return;
  end if;

  create table if not exists public.notes (
    id uuid primary key default gen_random_uuid(),
    owner_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
    -- What the owner was called when they last wrote: nobody can look into auth.users for it.
    owner_name text not null default '' check (char_length(owner_name) <= 100),
    text text not null check (char_length(text) between 1 and 2000),
    color text not null default 'yellow' check (color in ('yellow', 'green', 'blue', 'purple', 'pink', 'grey')),
    is_shared boolean not null default true,
    version integer not null default 1,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
  );
  comment on table public.notes is 'Notes of the board: shared by all who are signed in, or private to their owners.';
  create index if not exists notes_owner_id_index on public.notes (owner_id);
  create index if not exists notes_created_at_index on public.notes (created_at desc);

  -- Columns that nobody may write are not granted: owner, name, version and times come from defaults and the trigger.
  alter table public.notes enable row level security;
  revoke all on public.notes from anon, authenticated;
  grant select, delete on public.notes to authenticated;
  grant insert (id, text, color, is_shared), update (text, color, is_shared) on public.notes to authenticated;

  drop policy if exists "shared notes and one's own are seen" on public.notes;
  create policy "shared notes and one's own are seen" on public.notes for select to authenticated
    using (is_shared or owner_id = (select auth.uid()));
  drop policy if exists "people write notes of their own" on public.notes;
  create policy "people write notes of their own" on public.notes for insert to authenticated
    with check (owner_id = (select auth.uid()));
  -- Whoever unshares somebody else's note would make a row that they may not have: only its owner can.
  drop policy if exists "shared notes and one's own are edited" on public.notes;
  create policy "shared notes and one's own are edited" on public.notes for update to authenticated
    using (is_shared or owner_id = (select auth.uid()))
    with check (is_shared or owner_id = (select auth.uid()));
  drop policy if exists "people delete their own notes" on public.notes;
  create policy "people delete their own notes" on public.notes for delete to authenticated
    using (owner_id = (select auth.uid()));

  -- Versions are counted here, so that an edit can say which text it is about.
  create or replace function public.stamp_note() returns trigger
  language plpgsql
  set search_path = ''
  as $$
  declare
    claims jsonb := auth.jwt();
  begin
    if tg_op = 'UPDATE' then
      if new.owner_id is distinct from old.owner_id then
        raise exception 'the owner of a note never changes' using errcode = 'check_violation';
      end if;
      new.version := old.version + 1;
      new.updated_at := now();
    end if;
    -- Not the whole address: a note is for everybody.
    if new.owner_id = auth.uid() then
      new.owner_name := left(coalesce(
        nullif(btrim(claims -> 'user_metadata' ->> 'full_name'), ''), split_part(claims ->> 'email', '@', 1), ''), 100);
    end if;
    return new;
  end
  $$;
  revoke execute on function public.stamp_note() from public, anon, authenticated;
  create or replace trigger stamp_note before insert or update on public.notes
    for each row execute function public.stamp_note();

  -- Database changes are told to those who may see the new row. That it is gone for them, the others would never hear.
  create or replace function public.tell_hidden_note() returns trigger
  language plpgsql
  set search_path = ''
  as $$
  begin
    perform realtime.send(jsonb_build_object('note', new.id), 'hidden', 'board', true);
    return null;
  end
  $$;
  revoke execute on function public.tell_hidden_note() from public, anon, authenticated;
  create or replace trigger tell_hidden_note after update on public.notes
    for each row when (old.is_shared and not new.is_shared) execute function public.tell_hidden_note();

  if not exists (
    select from pg_catalog.pg_publication_tables
    where pubname = 'supabase_realtime' and schemaname = 'public' and tablename = 'notes'
  ) then
    alter publication supabase_realtime add table public.notes;
  end if;

  -- The private channel `board`: who is here, who is writing, and which note went away.
  drop policy if exists "people hear the board" on realtime.messages;
  create policy "people hear the board" on realtime.messages for select to authenticated
    using (realtime.topic() = 'board' and extension in ('broadcast', 'presence'));
  drop policy if exists "people speak on the board" on realtime.messages;
  create policy "people speak on the board" on realtime.messages for insert to authenticated
    with check (realtime.topic() = 'board' and extension in ('broadcast', 'presence'));
end
$board$;
