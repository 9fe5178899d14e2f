/** The data of the pictures of the admin area: tables, users, messages and changes of a choir. */
import type { Database } from '@greenroom/postgres';
import { withDatabase } from '../support/database.ts';
import { putMails } from '../support/mailbox.ts';

/** config.toml of the project. */
export const CONFIG = `# Settings of the choir.
project_id = "choir"

[auth]
site_url = "http://127.0.0.1:3000"
additional_redirect_urls = ["https://choir.example/**"]
# Half an hour.
jwt_expiry = 1800 # seconds
minimum_password_length = 8

[auth.email.template.invite]
subject = "Welcome to the choir"
`;

/** The member whose page is shown. */
export const MEMBER = { email: 'grace@example.org', password: 'correct horse' };

const TABLES = `
create type public.voice as enum ('soprano', 'alto', 'tenor', 'bass');
create type public.concert_state as enum ('planned', 'confirmed', 'cancelled');
create table public.members (
  id uuid primary key references auth.users on delete cascade,
  voice public.voice not null,
  joined_on date not null default current_date,
  note text
);
create table public.concerts (
  id bigint generated always as identity primary key,
  title text not null,
  venue text,
  starts_at timestamptz,
  seats integer check (seats > 0),
  state public.concert_state not null default 'planned',
  details jsonb not null default '{}'
);
create table public.songs (
  id bigint generated always as identity primary key,
  concert_id bigint not null references public.concerts on delete cascade,
  position smallint not null,
  title text not null,
  minutes numeric(4, 1),
  voices public.voice[] not null default '{}',
  unique (concert_id, position)
);
create table public.attendances (
  concert_id bigint references public.concerts on delete cascade,
  member_id uuid references public.members on delete cascade,
  is_coming boolean,
  answered_at timestamptz not null default now(),
  primary key (concert_id, member_id)
);
create index on public.songs (concert_id, position);
create index on public.attendances (member_id);
alter table public.members enable row level security;
alter table public.concerts enable row level security;
alter table public.attendances enable row level security;
grant select, insert, update, delete on public.members, public.attendances to authenticated;
grant select on public.concerts to anon, authenticated;
grant select on public.songs to authenticated;
create policy "Members see each other" on public.members for select to authenticated using (true);
create policy "Members edit their own entry" on public.members for update to authenticated
  using (id = (select auth.uid()));
create policy "Confirmed concerts are public" on public.concerts for select to anon, authenticated
  using (state = 'confirmed');
create policy "Own answers" on public.attendances to authenticated
  using (member_id = (select auth.uid())) with check (member_id = (select auth.uid()));
create policy "Answers that are a yes" on public.attendances for select to authenticated using (is_coming);
create view public.programme with (security_invoker = true) as
  select c.title as concert, s.position, s.title as song, s.minutes
    from public.concerts c join public.songs s on s.concert_id = c.id order by c.id, s.position;
create function public.seats_left(concert bigint) returns integer language sql stable set search_path = '' as
  'select seats - (select count(*)::int from public.attendances where concert_id = concert and is_coming) from public.concerts where id = concert';
create function public.print_programme() returns void language plpgsql set search_path = '' as
  'begin raise sqlstate ''PT503'' using message = ''The printer does not answer''; end';
`;

const USERS = `
insert into auth.users (instance_id, id, aud, role, email, encrypted_password, email_confirmed_at, last_sign_in_at,
  raw_app_meta_data, raw_user_meta_data, created_at, updated_at)
select '00000000-0000-0000-0000-000000000000', gen_random_uuid(), 'authenticated', 'authenticated', v || '.' || n || '@example.org', '',
  case when n <> 6 then now() - make_interval(days => n * 9) end, case when n < 5 then now() - make_interval(hours => n * 7) end,
  case when n = 1 then '{"provider": "email", "providers": ["email", "google"], "role": "editor"}'::jsonb
    else '{"provider": "email", "providers": ["email"]}'::jsonb end,
  jsonb_build_object('voice', v), now() - make_interval(days => n * 9, hours => length(v)), now() - make_interval(days => n)
from unnest(array['soprano', 'alto', 'tenor', 'bass']) v, generate_series(1, 6) n;
update auth.users set banned_until = now() + interval '5 days' where email = 'bass.5@example.org';
insert into public.members (id, voice, joined_on, note)
select id, (raw_user_meta_data ->> 'voice')::public.voice, created_at::date, case when email like '%.2@%' then 'Sings solo' end
  from auth.users where raw_user_meta_data ? 'voice';
`;

const ROWS = `
insert into public.concerts (title, venue, starts_at, seats, state, details) values
  ('Spring concert', 'Town hall', '2027-04-17 19:00+00', 320, 'confirmed', '{"doors": "18:30", "tickets": ["adult", "child"]}'),
  ('Open rehearsal', 'Music school, room 12', '2027-01-23 15:00+00', 40, 'confirmed', '{}'),
  ('Summer serenade', 'Castle garden', '2027-07-03 20:30+00', 250, 'planned', '{"rain": "Town hall"}'),
  ('Advent evening', 'St. Mary''s church', '2026-12-12 18:00+00', 410, 'confirmed', '{"doors": "17:15", "collection": true}'),
  ('Rehearsal weekend', 'Youth hostel at the lake', '2027-03-05 17:00+00', 36, 'confirmed', '{"bus": "16:00"}'),
  ('Festival of choirs', null, '2027-09-18 14:00+00', null, 'planned', '{}'),
  ('New Year matinee', 'Town hall', '2027-01-10 11:00+00', 320, 'cancelled', '{"reason": "roof repairs"}');
insert into public.songs (concert_id, position, title, minutes, voices)
select c.id, p, (array['Overture', 'Evening song', 'Down the river', 'The lighthouse', 'Three small canons', 'Homeward', 'A surprise'])[(c.id + p)::int % 7 + 1],
  2.5 + (c.id * p) % 4, case when p % 3 = 0 then '{soprano,alto}'::public.voice[] else '{soprano,alto,tenor,bass}' end
from public.concerts c, generate_series(1, 6) p;
insert into public.attendances (concert_id, member_id, is_coming, answered_at)
select c.id, m.id, case when (c.id + length(u.email)) % 5 = 0 then null else (c.id * 3 + ascii(u.email)) % 4 > 0 end,
  now() - make_interval(hours => (c.id * 11)::int)
from public.concerts c, public.members m join auth.users u using (id);
analyze;
`;

const MAILS = [
  ['alto.3@example.org', 'Reset your password', 'kept'],
  ['tenor.2@example.org', 'Your sign-in link', 'kept'],
  ['bass.1@example.org', 'Confirm your email address', 'kept'],
  ['soprano.4@example.org', 'Your sign-in link', 'queued'],
  ['tenor.6@example.org', 'Confirm your email address', 'queued'],
  ['alto.5@example.org', 'Reset your password', 'failed'],
] as const;

/** Entries of the audit log: action, target, summary, values before and after. */
const CHANGES = [
  [
    'user.ban',
    'user:bass.5',
    'Banned bass.5@example.org for 1 week',
    '{"banned_until": null}',
    '{"banned_until": "2026-12-04"}',
  ],
  [
    'policy.create',
    'public.concerts',
    'Created policy Confirmed concerts are public',
    null,
    '{"command": "select"}',
  ],
  ['row.update', 'public.concerts', 'Changed 1 row of public.concerts', '{"seats": 300}', '{"seats": 320}'],
  ['setting.update', 'auth.minimum_password_length', 'Changed auth.minimum_password_length', '6', '8'],
] as const;

/** Fills the database of an instance, except for the requests. `member` has signed up before. */
export async function fillAdminData(folder: string, admin: string): Promise<void> {
  await withDatabase(folder, async (database) => {
    await database.query({ text: 'set role postgres' });
    await run(database, TABLES, /;\n/);
    await database.query({ text: 'reset role' });
    const text = `update auth.users set raw_user_meta_data = '{"voice": "soprano", "name": "Grace"}' where email = $1`;
    await database.query({ text, values: [MEMBER.email] });
    await run(database, USERS + ROWS, /;\n/);
    for (const [action, target, summary, before, after] of CHANGES)
      await database.query({
        text: `insert into greenroom.audit_log (actor_email, action, target, summary, before, after, outcome, finished_at)
          values ($1, $2, $3, $4, $5, $6, 'done', now())`,
        values: [admin, action, target, summary, before, after],
      });
  });
  await putMails(
    MAILS.map(([recipient, subject, state]) => ({ recipient, subject, state, text: 'Hello' })),
    folder,
  );
  await withDatabase(folder, (database) =>
    database.query({
      text: `update greenroom.messages set attempts = 2, last_error = '451 4.7.1 Greylisted, try again later',
        next_attempt_at = now() + interval '7 minutes' where state = 'queued'`,
    }),
  );
  await withDatabase(folder, (database) =>
    database.query({
      text: `update greenroom.messages set attempts = 8, last_error = '550 5.1.1 No such mailbox' where state = 'failed'`,
    }),
  );
}

async function run(database: Database, sql: string, separator: RegExp): Promise<void> {
  for (const text of sql.split(separator)) if (text.trim() !== '') await database.query({ text });
}
