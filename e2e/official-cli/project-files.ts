/** A project that is used with the official command line: files by their path in the project. */

const CONFIG = `project_id = "notes"
[db]
# Another port than that of the instance: the CLI would take the instance for its own containers.
port = 1
[storage.buckets.photos]
public = false
`;

const NOTES = `create table public.notes (
  id bigint generated always as identity primary key,
  owner uuid not null default auth.uid() references auth.users (id) on delete cascade,
  text text not null
);
create index notes_owner on public.notes (owner);
alter table public.notes enable row level security;
create policy own on public.notes for all to authenticated using (owner = (select auth.uid()));
create policy photos on storage.objects for select to authenticated using (owner_id = (select auth.uid()::text));
`;

const TAGS = `create type public.color as enum ('red', 'green');
create table public.tags (
  note_id bigint references public.notes (id) on delete cascade,
  name text not null,
  color public.color not null default 'red',
  primary key (note_id, name)
);
alter table public.tags enable row level security;
create policy own on public.tags for all to authenticated using (
  exists (select from public.notes where id = note_id)
);
create function public.length_of(note public.notes) returns int language sql stable set search_path = ''
  as $$ select char_length(note.text) $$;
create function public.add_note() returns trigger language plpgsql security definer set search_path = ''
  as $$ begin insert into public.notes (owner, text) values (new.id, 'Welcome'); return new; end $$;
create trigger add_note after insert on auth.users for each row execute function public.add_note();
create view public.own_notes with (security_invoker) as select id, text from public.notes;
`;

const STARS = `alter table public.notes add column stars int not null default 0;
comment on column public.notes.stars is 'Given by readers; at most 5';
create function public.starred() returns setof public.notes language plpgsql stable set search_path = ''
  as $$ begin return query select * from public.notes where stars > 0; end $$;
`;

const SEED = `insert into auth.users (id, email) values ('00000000-0000-4000-8000-000000000001', 'ada@example.org');
`;

/** The files of the first start. */
export const FILES: Readonly<Record<string, string>> = {
  'supabase/config.toml': CONFIG,
  'supabase/migrations/20260101000000_notes.sql': NOTES,
  'supabase/migrations/20260102000000_tags.sql': TAGS,
  'supabase/seed.sql': SEED,
};

/** The migration that the official command line pushes. */
export const PUSHED: Readonly<Record<string, string>> = {
  'supabase/migrations/20260103000000_stars.sql': STARS,
};
