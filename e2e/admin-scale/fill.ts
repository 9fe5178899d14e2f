/** Fills an instance with a million users, and a table with ten million rows, by SQL. */
import { createHash } from 'node:crypto';
import type { Database } from '@greenroom/postgres';

/** Number of users and of rows. */
interface Sizes {
  users: number;
  rows: number;
}

/** One statement for each batch, so that no transaction holds all rows. */
const BATCH = 500_000;

const SCHEMA = `
  create type public.event_kind as enum ('view', 'click', 'order', 'refund');
  create table public.events (
    id bigint generated always as identity primary key,
    user_id uuid,
    kind public.event_kind not null default 'view',
    amount numeric(12, 2),
    note text,
    payload jsonb not null default '{}',
    tags text[],
    created_at timestamptz not null default now()
  );
  alter table public.events owner to postgres;
  alter table public.events enable row level security;
  create policy "Users read their own events" on public.events for select to authenticated
    using ((select auth.uid()) = user_id);
  grant select on public.events to anon, authenticated`;

/** A request of it fails with 503. */
const FAILING_FUNCTION = `
  create function public.fail_always() returns void language plpgsql as
    $$ begin raise sqlstate 'PT503' using message = 'broken on purpose'; end $$`;

const USERS = `
  insert into auth.users (instance_id, id, aud, role, email, encrypted_password, email_confirmed_at, last_sign_in_at,
    raw_app_meta_data, raw_user_meta_data, created_at, updated_at)
  select '00000000-0000-0000-0000-000000000000', md5('user ' || n)::uuid, 'authenticated', 'authenticated',
    'user' || n || '@example.org', '', case when n % 10 > 0 then now() - make_interval(secs => n) end,
    case when n % 3 > 0 then now() - make_interval(secs => n / 2) end,
    jsonb_build_object('provider', 'email', 'providers', array['email']) ||
      case when n % 1000 = 0 then '{"role": "editor"}'::jsonb else '{}' end,
    jsonb_build_object('name', 'User ' || n), now() - make_interval(secs => n), now() - make_interval(secs => n)
  from generate_series($1::int, $2::int) n`;

const IDENTITIES = `
  insert into auth.identities (id, provider_id, user_id, identity_data, provider, created_at, updated_at)
  select md5('identity ' || n)::uuid, md5('user ' || n), md5('user ' || n)::uuid,
    jsonb_build_object('sub', md5('user ' || n)::uuid, 'email', 'user' || n || '@example.org'), 'email', now(), now()
  from generate_series($1::int, $2::int) n`;

const ROWS = `
  insert into public.events (user_id, kind, amount, note, payload, tags, created_at)
  select md5('user ' || (n % 1000000 + 1))::uuid, (array['view', 'click', 'order', 'refund'])[n % 4 + 1]::public.event_kind,
    n % 100000 / 100.0, 'event number ' || n, jsonb_build_object('n', n, 'page', '/products/' || n % 1000), array['a', 'b'],
    now() - make_interval(secs => n / 10.0)
  from generate_series($1::int, $2::int) n`;

/** @param database a connection as superuser */
export async function fill(database: Database, { users, rows }: Sizes): Promise<void> {
  for (const text of SCHEMA.split(';')) await database.query({ text });
  await database.query({ text: FAILING_FUNCTION });
  await inBatches(users, async (values) => {
    await database.query({ text: USERS, values });
    await database.query({ text: IDENTITIES, values });
  });
  await inBatches(rows, async (values) => {
    await database.query({ text: ROWS, values });
  });
  await database.query({ text: 'create index on public.events (user_id)' });
  await database.query({ text: 'create index on public.events (created_at, id)' });
  await database.query({ text: 'vacuum analyze' });
}

/** Returns the id and the address of a user, from 1. Tasks use different ones, below 2,000. */
export function userOf(number: number): { id: string; email: string } {
  const hex = createHash('md5').update(`user ${number}`).digest('hex');
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  return { id, email: `user${number}@example.org` };
}

async function inBatches(count: number, work: (range: [number, number]) => Promise<void>): Promise<void> {
  for (let first = 1; first <= count; first += BATCH) await work([first, Math.min(count, first + BATCH - 1)]);
}
