-- Invitations: a mail with a link, which only the account with the confirmed address of the invitation can use, once.
create table public.invitations (
  id uuid primary key default gen_random_uuid(),
  team_id uuid not null references public.teams on delete cascade,
  email text not null check (email = lower(email) and char_length(email) <= 254),
  role public.team_role not null check (role <> 'owner'),
  -- SHA-256 of the token. The token is in the mail only.
  token_hash bytea not null unique,
  invited_by uuid references auth.users on delete set null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '7 days',
  accepted_at timestamptz
);
-- Another invitation to the same address replaces the open one.
create unique index invitations_open_index on public.invitations (team_id, email) where accepted_at is null;
create index on public.invitations (invited_by);

-- Mails of the last day, for limits that deleting an invitation does not reset.
create table private.invitation_mails (
  team_id uuid not null,
  user_id uuid not null,
  email text not null,
  sent_at timestamptz not null default now()
);
alter table private.invitation_mails enable row level security;
create index on private.invitation_mails (sent_at);

create function private.hash_token(token text) returns bytea
  language sql immutable set search_path = ''
as $$
  select pg_catalog.sha256(pg_catalog.convert_to(token, 'UTF8'))
$$;

create function private.escape_html(value text) returns text
  language sql immutable set search_path = ''
as $$
  select replace(replace(replace(replace(value, '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), '"', '&quot;')
$$;

create function private.mail_invitation(invitation public.invitations, token text) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  link text := greenroom.page_url('/invitations/' || token);
  team text := (select name from public.teams where id = invitation.team_id);
  inviter text := (select email from auth.users where id = invitation.invited_by);
  introduction text := format('%s invites you to the team “%s”.', inviter, team);
  rule text := format(
    'The link works once, for 7 days, and only for the account %s. Ignore this mail if you do not want to join.',
    invitation.email);
begin
  perform greenroom.send_mail(
    invitation.email,
    'Invitation to ' || team,
    concat_ws(E'\n\n', introduction, 'Accept the invitation:' || E'\n' || link, rule),
    format(
      '<p>%s</p><p><a href="%s">Accept the invitation</a></p><p>%s</p>',
      private.escape_html(introduction), private.escape_html(link), private.escape_html(rule))
  );
end
$$;

-- Limits of mails in an hour: of a team, of a user, and to an address.
create function private.check_invitation_limits(team uuid, address text) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  max_sent constant integer := 20;
  max_received constant integer := 3;
  plan public.plans := private.plan_of(team);
begin
  -- One at a time for each user and each address. The caller has locked the team.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended(auth.uid()::text, 0));
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended(address, 1));
  if exists (
    select from private.invitation_mails where sent_at > now() - interval '1 hour'
    having count(*) filter (where team_id = team) >= max_sent
      or count(*) filter (where user_id = auth.uid()) >= max_sent
      or count(*) filter (where email = address) >= max_received
  ) then
    raise exception 'Too many invitations. Try again in an hour.';
  end if;
  if (select count(*) from public.memberships where team_id = team)
    + (select count(*) from public.invitations
      where team_id = team and email <> address and accepted_at is null and expires_at > now()) >= plan.max_members
  then
    raise exception 'The plan % allows % members, including open invitations.', plan.name, plan.max_members;
  end if;
end
$$;

create function private.invite_member(team uuid, address text, as_role public.team_role) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  token text := encode(extensions.gen_random_bytes(32), 'hex');
  invitation public.invitations;
begin
  if team not in (select private.my_teams('{owner,admin}')) then
    raise insufficient_privilege using message = 'Only owners and admins invite members.';
  end if;
  address := lower(btrim(address));
  perform from public.teams where id = team for no key update;
  if exists (
    select from public.memberships m join auth.users u on u.id = m.user_id
    where m.team_id = team and lower(u.email) = address
  ) then
    raise exception '% is a member already.', address;
  end if;
  perform private.check_invitation_limits(team, address);
  insert into public.invitations as i (team_id, email, role, token_hash, invited_by)
    values (team, address, as_role, private.hash_token(token), auth.uid())
    on conflict (team_id, email) where accepted_at is null do update
      set role = excluded.role, token_hash = excluded.token_hash, invited_by = excluded.invited_by,
        created_at = excluded.created_at, expires_at = excluded.expires_at
    returning i.* into invitation;
  insert into private.invitation_mails (team_id, user_id, email) values (team, auth.uid(), address);
  perform private.mail_invitation(invitation, token);
end
$$;

-- Data of an invitation for its page; the token is the permission.
create function private.find_invitation(token text)
  returns table (team_name text, email text, role public.team_role, is_open boolean)
  language sql stable security definer set search_path = ''
as $$
  select t.name, i.email, i.role, i.accepted_at is null and i.expires_at > now()
  from public.invitations i join public.teams t on t.id = i.team_id
  where i.token_hash = private.hash_token(token)
$$;

-- Returns the slug of the team.
create function private.accept_invitation(token text) returns text
  language plpgsql security definer set search_path = ''
as $$
declare
  invitation public.invitations;
  team public.teams;
  plan public.plans;
begin
  if not private.is_full_session() then
    raise insufficient_privilege using message = 'Sign in to accept an invitation.';
  end if;
  -- The team is locked first, as by other functions.
  select t.* into team from public.teams t
    join public.invitations i on i.team_id = t.id
    where i.token_hash = private.hash_token(token)
    for no key update of t;
  select * into invitation from public.invitations where token_hash = private.hash_token(token) for update;
  if not found or invitation.accepted_at is not null or invitation.expires_at <= now() then
    raise exception 'This invitation is not valid any more. Request a new one.';
  end if;
  if not exists (
    select from auth.users
    where id = auth.uid() and lower(email) = invitation.email and email_confirmed_at is not null
  ) then
    raise exception 'This invitation is for %. Sign in with that address.', invitation.email;
  end if;
  plan := private.plan_of(team.id);
  if (select count(*) from public.memberships where team_id = team.id) >= plan.max_members then
    raise exception 'The team has as many members as its plan allows.';
  end if;
  update public.invitations set accepted_at = now() where id = invitation.id;
  insert into public.memberships (team_id, user_id, role) values (team.id, auth.uid(), invitation.role)
    on conflict do nothing;
  return team.slug;
end
$$;

create function private.remove_expired_invitations() returns void
  language sql security definer set search_path = ''
as $$
  delete from public.invitations
    where accepted_at is null and expires_at <= now() or accepted_at < now() - interval '30 days';
  delete from private.invitation_mails where sent_at < now() - interval '1 day';
$$;

create extension if not exists pg_cron with schema pg_catalog;
select cron.schedule('remove-expired-invitations', '15 * * * *', 'select private.remove_expired_invitations()');

-- The API serves these functions.
create function public.invite_member(team uuid, address text, as_role public.team_role) returns void
  language sql set search_path = ''
as $$
  select private.invite_member(team, address, as_role)
$$;

create function public.find_invitation(token text)
  returns table (team_name text, email text, role public.team_role, is_open boolean)
  language sql stable set search_path = ''
as $$
  select * from private.find_invitation(token)
$$;

create function public.accept_invitation(token text) returns text
  language sql set search_path = ''
as $$
  select private.accept_invitation(token)
$$;

revoke execute on function private.hash_token, private.escape_html, private.mail_invitation,
  private.check_invitation_limits, private.invite_member, private.find_invitation, private.accept_invitation,
  private.remove_expired_invitations from public;
revoke execute on function public.invite_member, public.find_invitation, public.accept_invitation from public, anon;
grant execute on function public.invite_member, private.invite_member, public.accept_invitation, private.accept_invitation
  to authenticated;
grant execute on function public.find_invitation, private.find_invitation to anon, authenticated;

alter table public.invitations enable row level security;
revoke all on public.invitations from anon, authenticated;
grant delete, select (id, team_id, email, role, invited_by, created_at, expires_at, accepted_at)
  on public.invitations to authenticated;

create policy "owners and admins see invitations" on public.invitations for select to authenticated
  using (team_id = any (array(select private.my_teams('{owner,admin}'))));
create policy "owners and admins revoke invitations" on public.invitations for delete to authenticated
  using (team_id = any (array(select private.my_teams('{owner,admin}'))));
