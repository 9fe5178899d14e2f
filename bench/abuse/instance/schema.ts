/** Tables, functions and policies that the well-behaved clients and the attacks use. */

/** SQL that creates the schema as the owner of the database. */
export const SCHEMA = `
  create table public.abuse_items (
    id bigint generated always as identity primary key,
    owner_id uuid default auth.uid(),
    title text not null check (length(title) <= 200)
  );
  alter table public.abuse_items enable row level security;
  create policy readable on public.abuse_items for select to authenticated using (true);
  create policy own on public.abuse_items for insert to authenticated with check (owner_id = (select auth.uid()));
  grant select, insert on public.abuse_items to authenticated;
  alter publication supabase_realtime add table public.abuse_items;

  -- Written by attackers. Realtime watches the second one.
  create table public.abuse_notes (id bigint generated always as identity primary key, text text);
  create table public.abuse_noise (id bigint generated always as identity primary key, text text);
  alter table public.abuse_notes enable row level security;
  alter table public.abuse_noise enable row level security;
  create policy everything on public.abuse_notes for all to authenticated using (true) with check (true);
  create policy everything on public.abuse_noise for all to authenticated using (true) with check (true);
  grant select, insert, update, delete on public.abuse_notes, public.abuse_noise to authenticated;
  alter publication supabase_realtime add table public.abuse_noise;

  create table public.abuse_locked (id bigint, text text);
  alter table public.abuse_locked enable row level security;
  revoke all on public.abuse_locked from anon, authenticated;

  create table public.abuse_big (id int primary key, text text not null, tags jsonb not null);
  insert into public.abuse_big
    select n, repeat(md5(n::text), 32), jsonb_build_object('n', n, 'kind', n % 7) from generate_series(1, 20000) n;
  -- Each hub has 200 nodes, so each level of embedding multiplies the rows by 200.
  create table public.abuse_hubs (id int primary key);
  create table public.abuse_nodes (id int primary key, hub_id int not null references public.abuse_hubs);
  create index on public.abuse_nodes (hub_id);
  insert into public.abuse_hubs select generate_series(1, 5);
  insert into public.abuse_nodes select n, 1 + n % 5 from generate_series(1, 1000) n;
  alter table public.abuse_big enable row level security;
  alter table public.abuse_hubs enable row level security;
  alter table public.abuse_nodes enable row level security;
  create policy readable on public.abuse_big for select using (true);
  create policy readable on public.abuse_hubs for select using (true);
  create policy readable on public.abuse_nodes for select using (true);
  grant select on public.abuse_big, public.abuse_hubs, public.abuse_nodes to anon, authenticated;

  create function public.abuse_sum(a int, b int) returns int language sql immutable as 'select a + b';
  create function public.abuse_sleep(seconds float8) returns void language sql volatile
    as 'select pg_sleep(seconds)';

  create policy abuse on storage.objects for all to authenticated
    using (bucket_id in ('abuse', 'pictures')) with check (bucket_id in ('abuse', 'pictures'));
  create policy abuse on realtime.messages for select to authenticated
    using ((select pg_sleep(0.02)) is not null and realtime.topic() like 'allowed-%');
  create policy abuse_write on realtime.messages for insert to authenticated
    with check (realtime.topic() like 'allowed-%');
  notify pgrst, 'reload schema';`;

/** SQL that creates rows of objects in deep folders, without content, because lists and searches do not read any. */
export const DEEP_OBJECTS = `
  insert into storage.objects (bucket_id, name, version, metadata)
  select 'abuse', 'deep/' || repeat('a/', 1 + n % 40) || 'folder-' || n % 200 || '/file-' || n, gen_random_uuid()::text,
    '{"size": 1, "mimetype": "text/plain"}'
  from generate_series(1, 20000) n`;
