-- Plans, teams and their members.
--
-- The schema `private` has functions that bypass row-level security. The API does not serve it. Rules of the product raise
-- P0001 with a sentence for the user.
create schema private;
grant usage on schema private to anon, authenticated, service_role;

create type public.team_role as enum ('owner', 'admin', 'member');

create table public.plans (
  id text primary key,
  name text not null,
  price_cents integer not null check (price_cents >= 0),
  max_members integer not null check (max_members > 0),
  max_projects integer not null check (max_projects > 0)
);
comment on table public.plans is 'Plans on offer, with the prices of a month.';

insert into public.plans (id, name, price_cents, max_members, max_projects) values
  ('free', 'Free', 0, 3, 3),
  ('pro', 'Pro', 1900, 20, 50),
  ('business', 'Business', 9900, 200, 1000);

create table public.teams (
  id uuid primary key default gen_random_uuid(),
  -- Invitations contain the name, so it has no line breaks and no links.
  name text not null
    check (char_length(btrim(name)) between 1 and 60 and name !~ '[[:cntrl:]]' and name !~* 'https?://|www\.'),
  -- /teams/new is the page that creates a team.
  slug text not null unique
    check (char_length(slug) between 2 and 40 and slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and slug <> 'new'),
  created_at timestamptz not null default now()
);

create table public.memberships (
  team_id uuid not null references public.teams on delete cascade,
  user_id uuid not null references auth.users on delete cascade,
  role public.team_role not null,
  created_at timestamptz not null default now(),
  primary key (team_id, user_id)
);
create index on public.memberships (user_id);

-- Written by the webhook of the payment provider. A team without a row has the plan `free`.
create table public.subscriptions (
  team_id uuid primary key references public.teams on delete cascade,
  plan_id text not null references public.plans,
  status text not null check (status in ('active', 'past_due', 'canceled')),
  customer_id text not null,
  current_period_end timestamptz,
  -- Time of the last event.
  updated_at timestamptz not null
);
create index on public.subscriptions (plan_id);

-- Tokens of OAuth applications have no access, nor sessions that lack the second factor of their user.
create function private.is_full_session() returns boolean
  language sql stable security definer set search_path = ''
as $$
  select auth.uid() is not null
    and auth.jwt() ->> 'client_id' is null
    and (
      auth.jwt() ->> 'aal' = 'aal2'
      or auth.jwt() ->> 'user_verified' = 'true'
      or not exists (select from auth.mfa_factors where user_id = auth.uid() and status = 'verified')
    )
$$;

-- Policies compare with `= any (array(select private.my_teams()))`, which runs once for each statement and can use an index.
create function private.my_teams(roles public.team_role[] default '{owner,admin,member}') returns setof uuid
  language sql stable security definer set search_path = ''
as $$
  select team_id from public.memberships
  where user_id = (select auth.uid()) and role = any (roles) and (select private.is_full_session())
$$;

create function private.plan_of(team uuid) returns public.plans
  language sql stable security definer set search_path = ''
as $$
  select * from public.plans
  where id = coalesce(
    (select plan_id from public.subscriptions where team_id = team and status <> 'canceled'), 'free')
$$;

-- A team has an owner at all times. If the account of its last owner is deleted, the oldest admin or member becomes the owner,
-- and a team without members is deleted.
create function private.keep_owner() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  heir uuid;
begin
  -- Two owners who leave at the same time do so one after the other.
  perform from public.teams where id = old.team_id for no key update;
  if not found or exists (select from public.memberships where team_id = old.team_id and role = 'owner') then
    return null;
  end if;
  if exists (select from auth.users where id = old.user_id) then
    raise exception 'A team needs an owner. Make another member the owner first.';
  end if;
  select user_id into heir from public.memberships where team_id = old.team_id
    order by role, created_at, user_id limit 1;
  if found then
    update public.memberships set role = 'owner' where team_id = old.team_id and user_id = heir;
  else
    delete from public.teams where id = old.team_id;
  end if;
  return null;
end
$$;
create trigger keep_owner after delete or update of role on public.memberships
  for each row when (old.role = 'owner') execute function private.keep_owner();

create function private.create_team(team_name text, team_slug text) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  max_owned constant integer := 10;
  new_team uuid;
begin
  if not private.is_full_session() then
    raise insufficient_privilege using message = 'A team needs a signed-in owner.';
  end if;
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended(auth.uid()::text, 0));
  if (select count(*) from public.memberships where user_id = auth.uid() and role = 'owner') >= max_owned then
    raise exception 'You own % teams already.', max_owned;
  end if;
  insert into public.teams (name, slug) values (btrim(team_name), team_slug) returning id into new_team;
  insert into public.memberships (team_id, user_id, role) values (new_team, auth.uid(), 'owner');
end
$$;

-- Names and addresses of the members of a team, for its members.
create function private.team_members(team uuid)
  returns table (user_id uuid, role public.team_role, email text, name text, joined_at timestamptz)
  language sql stable security definer set search_path = ''
as $$
  select m.user_id, m.role, u.email::text, left(btrim(u.raw_user_meta_data ->> 'full_name'), 100), m.created_at
  from public.memberships m join auth.users u on u.id = m.user_id
  where m.team_id = team and team in (select private.my_teams())
  order by m.role, m.created_at, m.user_id
$$;

-- The API serves these functions.
create function public.create_team(team_name text, team_slug text) returns void
  language sql set search_path = ''
as $$
  select private.create_team(team_name, team_slug)
$$;

create function public.team_members(team uuid)
  returns table (user_id uuid, role public.team_role, email text, name text, joined_at timestamptz)
  language sql stable set search_path = ''
as $$
  select * from private.team_members(team)
$$;

revoke execute on all functions in schema private from public;
revoke execute on function public.create_team, public.team_members from public, anon;
grant execute on function private.is_full_session, private.my_teams, private.create_team, private.team_members,
  public.create_team, public.team_members to authenticated;

alter table public.plans enable row level security;
alter table public.teams enable row level security;
alter table public.memberships enable row level security;
alter table public.subscriptions enable row level security;
revoke all on public.plans, public.teams, public.memberships, public.subscriptions from anon, authenticated;
grant select on public.plans to anon, authenticated;
grant select, delete, update (name, slug) on public.teams to authenticated;
grant select, delete, update (role) on public.memberships to authenticated;
grant select (team_id, plan_id, status, current_period_end) on public.subscriptions to authenticated;

create policy "all visitors see the plans" on public.plans for select to anon, authenticated using (true);

create policy "members see their teams" on public.teams for select to authenticated
  using (id = any (array(select private.my_teams())));
create policy "owners and admins rename their teams" on public.teams for update to authenticated
  using (id = any (array(select private.my_teams('{owner,admin}'))))
  with check (id = any (array(select private.my_teams('{owner,admin}'))));
create policy "owners delete teams without a subscription" on public.teams for delete to authenticated
  using (
    id = any (array(select private.my_teams('{owner}')))
    and id not in (select team_id from public.subscriptions where status <> 'canceled')
  );

create policy "members see the members of their teams" on public.memberships for select to authenticated
  using (team_id = any (array(select private.my_teams())));
create policy "owners change all roles, admins those of admins and members" on public.memberships
  for update to authenticated
  using (
    team_id = any (array(select private.my_teams('{owner}')))
    or role <> 'owner' and team_id = any (array(select private.my_teams('{admin}')))
  )
  with check (
    team_id = any (array(select private.my_teams('{owner}')))
    or role <> 'owner' and team_id = any (array(select private.my_teams('{admin}')))
  );
create policy "owners and admins remove members, members leave" on public.memberships for delete to authenticated
  using (
    team_id = any (array(select private.my_teams('{owner}')))
    or role <> 'owner' and team_id = any (array(select private.my_teams('{admin}')))
    or user_id = (select auth.uid()) and team_id = any (array(select private.my_teams()))
  );

create policy "members see the subscription of their teams" on public.subscriptions for select to authenticated
  using (team_id = any (array(select private.my_teams())));
