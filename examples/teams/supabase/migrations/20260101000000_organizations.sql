create type public.member_role as enum ('owner', 'member');

create table public.organizations (
  id uuid primary key default gen_random_uuid(),
  name text not null check (length(name) between 1 and 100)
);

create table public.memberships (
  organization_id uuid not null references public.organizations on delete cascade,
  -- One organization for each user.
  user_id uuid primary key references auth.users on delete cascade,
  role public.member_role not null
);

create index on public.memberships (organization_id);

create table public.projects (
  id bigint generated always as identity primary key,
  organization_id uuid not null default (auth.jwt() ->> 'organization_id')::uuid
    references public.organizations on delete cascade,
  name text not null check (length(name) between 1 and 100)
);

create index on public.projects (organization_id);

alter table public.organizations enable row level security;
alter table public.memberships enable row level security;
alter table public.projects enable row level security;

-- The organization and the role of the access token. They are as old as the token: at most auth.jwt_expiry.
create function public.my_organization() returns uuid
language sql stable
set search_path = ''
as $$ select (auth.jwt() ->> 'organization_id')::uuid $$;

create function public.is_owner() returns boolean
language sql stable
set search_path = ''
as $$ select coalesce(auth.jwt() ->> 'organization_role' = 'owner', false) $$;

create policy "members read their organization" on public.organizations for select to authenticated
  using (id = (select public.my_organization()));
create policy "members read the memberships" on public.memberships for select to authenticated
  using (organization_id = (select public.my_organization()));
create policy "owners remove memberships" on public.memberships for delete to authenticated
  using (organization_id = (select public.my_organization()) and (select public.is_owner()));

create policy "members read projects" on public.projects for select to authenticated
  using (organization_id = (select public.my_organization()));
create policy "members add projects" on public.projects for insert to authenticated
  with check (organization_id = (select public.my_organization()));
create policy "owners delete projects" on public.projects for delete to authenticated
  using (organization_id = (select public.my_organization()) and (select public.is_owner()));

-- Creates an organization whose owner is the caller. A caller who has an organization gets a conflict.
create function public.create_organization(name text) returns uuid
language plpgsql security definer
set search_path = ''
as $$
declare
  created uuid;
begin
  insert into public.organizations (name) values (create_organization.name) returning id into created;
  insert into public.memberships (organization_id, user_id, role) values (created, auth.uid(), 'owner');
  return created;
end
$$;

-- Adds the account with this address to the organization of the caller, who must be an owner.
create function public.add_member(email text) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  added uuid;
begin
  if not public.is_owner() then
    raise exception 'only owners add members' using errcode = 'insufficient_privilege';
  end if;
  select id into added from auth.users where users.email = add_member.email;
  if added is null then
    raise exception 'no account has this address' using errcode = 'no_data_found';
  end if;
  insert into public.memberships (organization_id, user_id, role)
    values (public.my_organization(), added, 'member');
end
$$;

revoke execute on function public.create_organization, public.add_member from public, anon;

-- The hook for access tokens: https://supabase.com/docs/guides/auth/auth-hooks/custom-access-token-hook
create function public.add_organization_claims(event jsonb) returns jsonb
language plpgsql stable security definer
set search_path = ''
as $$
declare
  membership public.memberships;
begin
  select * into membership from public.memberships where user_id = (event ->> 'user_id')::uuid;
  if membership.user_id is null then
    return event;
  end if;
  return jsonb_set(
    event,
    '{claims}',
    event -> 'claims'
      || jsonb_build_object('organization_id', membership.organization_id, 'organization_role', membership.role)
  );
end
$$;

-- The hook before an account is created.
create function public.reject_blocked_domains(event jsonb) returns jsonb
language plpgsql stable
set search_path = ''
as $$
begin
  if event -> 'user' ->> 'email' ilike '%@blocked.example' then
    return jsonb_build_object(
      'error', jsonb_build_object('message', 'Addresses of this domain cannot sign up.', 'http_code', 403)
    );
  end if;
  return '{}'::jsonb;
end
$$;

-- Only the authentication service calls the hooks.
revoke execute on function public.add_organization_claims, public.reject_blocked_domains from public, anon, authenticated;
grant execute on function public.add_organization_claims, public.reject_blocked_domains to supabase_auth_admin;
