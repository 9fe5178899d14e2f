-- Two teams for development: `npm run seed`. Ada owns Acme and is a member of Globex, Grace the reverse.
-- Both have the password `only for development`.
do $$
begin
  if greenroom.page_url('/') !~ '^https?://(localhost|127\.0\.0\.1|\[::1\])[:/]' then
    raise exception 'This seed is for development only: its accounts have a known password.';
  end if;
end
$$;

insert into auth.users (
  id, instance_id, aud, role, email, encrypted_password, email_confirmed_at, raw_app_meta_data, raw_user_meta_data,
  created_at, updated_at, confirmation_token, recovery_token, email_change, email_change_token_new
)
select
  id::uuid, '00000000-0000-0000-0000-000000000000', 'authenticated', 'authenticated', email,
  extensions.crypt('only for development', extensions.gen_salt('bf')), now(),
  '{"provider": "email", "providers": ["email"]}', jsonb_build_object('full_name', name), now(), now(), '', '', '', ''
from (values
  ('a0000000-0000-4000-8000-000000000001', 'ada@example.org', 'Ada Lovelace'),
  ('a0000000-0000-4000-8000-000000000002', 'grace@example.org', 'Grace Hopper')
) as accounts (id, email, name);

insert into auth.identities (provider_id, user_id, provider, identity_data, created_at, updated_at)
select id::text, id, 'email', jsonb_build_object('sub', id, 'email', email, 'email_verified', true), now(), now()
from auth.users where email in ('ada@example.org', 'grace@example.org');

insert into public.teams (id, name, slug) values
  ('b0000000-0000-4000-8000-000000000001', 'Acme', 'acme'),
  ('b0000000-0000-4000-8000-000000000002', 'Globex', 'globex');

insert into public.subscriptions (team_id, plan_id, status, customer_id, current_period_end, updated_at) values
  ('b0000000-0000-4000-8000-000000000001', 'pro', 'active', 'customer_acme', now() + interval '30 days', now());

insert into public.memberships (team_id, user_id, role) values
  ('b0000000-0000-4000-8000-000000000001', 'a0000000-0000-4000-8000-000000000001', 'owner'),
  ('b0000000-0000-4000-8000-000000000001', 'a0000000-0000-4000-8000-000000000002', 'member'),
  ('b0000000-0000-4000-8000-000000000002', 'a0000000-0000-4000-8000-000000000002', 'owner'),
  ('b0000000-0000-4000-8000-000000000002', 'a0000000-0000-4000-8000-000000000001', 'member');

insert into public.projects (team_id, name, description, status, created_by, created_at) values
  ('b0000000-0000-4000-8000-000000000001', 'Website', 'The new website, with prices and a blog.', 'active',
    'a0000000-0000-4000-8000-000000000001', now() - interval '20 days'),
  ('b0000000-0000-4000-8000-000000000001', 'Mobile app', 'Offline first, for both systems.', 'paused',
    'a0000000-0000-4000-8000-000000000002', now() - interval '9 days'),
  ('b0000000-0000-4000-8000-000000000001', 'Launch', 'Everything that has to be ready on the day.', 'done',
    'a0000000-0000-4000-8000-000000000001', now() - interval '2 days'),
  ('b0000000-0000-4000-8000-000000000002', 'Research', 'Interviews with ten customers.', 'active',
    'a0000000-0000-4000-8000-000000000002', now() - interval '5 days');
