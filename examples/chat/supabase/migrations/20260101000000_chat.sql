create table public.rooms (
  id bigint generated always as identity primary key,
  name text not null unique
);

create table public.members (
  room_id bigint not null references public.rooms on delete cascade,
  user_id uuid not null default auth.uid() references auth.users on delete cascade,
  primary key (room_id, user_id)
);

create table public.messages (
  id bigint generated always as identity primary key,
  room_id bigint not null references public.rooms on delete cascade,
  user_id uuid not null default auth.uid() references auth.users on delete cascade,
  content text not null check (length(content) between 1 and 2000),
  created_at timestamptz not null default now()
);

create index on public.messages (room_id, id);

alter table public.rooms enable row level security;
alter table public.members enable row level security;
alter table public.messages enable row level security;

-- Policies of several tables need this question. As security definer it does not evaluate the policies of members again.
create function public.is_member(room bigint) returns boolean
language sql stable security definer
set search_path = ''
as $$
  select exists (select from public.members where room_id = room and user_id = auth.uid())
$$;

create policy "users read all rooms" on public.rooms for select to authenticated using (true);
create policy "users join rooms" on public.members for insert to authenticated with check (user_id = (select auth.uid()));
create policy "members read the members" on public.members for select to authenticated using (public.is_member(room_id));
create policy "members read messages" on public.messages for select to authenticated using (public.is_member(room_id));
create policy "members write messages" on public.messages for insert to authenticated
  with check (user_id = (select auth.uid()) and public.is_member(room_id));

-- The topic of a room is room:<id>. Only its members subscribe to it, and share their presence.
create policy "members receive what is sent to their rooms" on realtime.messages for select to authenticated
  using (realtime.topic() like 'room:%' and public.is_member(split_part(realtime.topic(), ':', 2)::bigint));
create policy "members share their presence" on realtime.messages for insert to authenticated
  with check (
    extension = 'presence'
    and realtime.topic() like 'room:%'
    and public.is_member(split_part(realtime.topic(), ':', 2)::bigint)
  );

-- Sends each new message to the topic of its room, in the transaction of the insert.
create function public.broadcast_message() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  perform realtime.send(
    jsonb_build_object('id', new.id, 'content', new.content, 'user_id', new.user_id),
    'message',
    'room:' || new.room_id,
    true
  );
  return null;
end
$$;

create trigger broadcast_message after insert on public.messages
  for each row execute function public.broadcast_message();
