-- The board: its notes, who may do what with them, and its realtime topic. The file may run more than once.
do $board$
begin
  -- Earlier versions of Greenroom created the board themselves, in every database. Another table of this name stays as
  -- it is; the page then says that there is no board.
  if to_regclass('public.notes') is not null then
    raise notice 'the table public.notes exists and stays as it is';
    return;
  end if;

  create table public.notes (
    id uuid primary key default gen_random_uuid(),
    owner_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
    -- Name of the owner at their last change: users cannot read auth.users.
    owner_name text not null default '' check (char_length(owner_name) <= 100),
    text text not null check (char_length(text) between 1 and 2000),
    color text not null default 'yellow' check (color in ('yellow', 'green', 'blue', 'purple', 'pink', 'grey')),
    is_shared boolean not null default true,
    version integer not null default 1,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
  );
  comment on table public.notes is 'Notes of the board: shared by all who are signed in, or private to their owners.';
  create index notes_owner_id_index on public.notes (owner_id);
  create index notes_created_at_index on public.notes (created_at desc);

  -- Users have no grant for the other columns: owner, name, version and times come from defaults and the trigger.
  alter table public.notes enable row level security;
  revoke all on public.notes from anon, authenticated;
  grant select, delete on public.notes to authenticated;
  grant insert (id, text, color, is_shared), update (text, color, is_shared) on public.notes to authenticated;

  create policy "shared notes and one's own are seen" on public.notes for select to authenticated
    using (is_shared or owner_id = (select auth.uid()));
  create policy "people write notes of their own" on public.notes for insert to authenticated
    with check (owner_id = (select auth.uid()));
  -- Only the owner can unshare a note: for others, the new row violates the check.
  create policy "shared notes and one's own are edited" on public.notes for update to authenticated
    using (is_shared or owner_id = (select auth.uid()))
    with check (is_shared or owner_id = (select auth.uid()));
  create policy "people delete their own notes" on public.notes for delete to authenticated
    using (owner_id = (select auth.uid()));
  -- The access tokens of OAuth applications have the claim `client_id`: a person who allows an application to read an
  -- email address does not share notes and files with it.
  create policy "applications have no access to notes" on public.notes as restrictive for all
    using ((select auth.jwt() ->> 'client_id') is null)
    with check ((select auth.jwt() ->> 'client_id') is null);

  -- The version lets a client name the text that it has changed.
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
    -- Not the whole address, because all users see the note.
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

  -- Subscribers receive a change only if they may see the new row, so the others get this message about a hidden note.
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

  alter publication supabase_realtime add table public.notes;

  -- The private channel `board`: presence, users who are writing, and hidden notes.
  drop policy if exists "people hear the board" on realtime.messages;
  create policy "people hear the board" on realtime.messages for select to authenticated
    using (realtime.topic() = 'board' and extension in ('broadcast', 'presence')
      and (select auth.jwt() ->> 'client_id') is null);
  drop policy if exists "people speak on the board" on realtime.messages;
  create policy "people speak on the board" on realtime.messages for insert to authenticated
    with check (realtime.topic() = 'board' and extension in ('broadcast', 'presence')
      and (select auth.jwt() ->> 'client_id') is null);
end
$board$;
