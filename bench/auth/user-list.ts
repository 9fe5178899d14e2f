/** Measures pages of the admin's list of 500,000 accounts. */
import { type Database, openDatabase } from '@greenroom/postgres';
import { createClient } from '../load/http.ts';
import type { Figure } from '../measure/figure.ts';
import { medianTimeOf } from '../measure/median-time.ts';
import { PASSWORD_HASH } from './people.ts';

const ACCOUNTS = 500_000;
const PER_PAGE = 50;
const DEEP_PAGE = 9000;
const CALLS = 20;
const FIRST_PAGE_MS = 50;
const DEEP_PAGE_MS = 100;

/** Created a second apart, so that the accounts have an order. */
const FILL = `
  with person as (
    select gen_random_uuid() as id, 'listed' || number || '@example.org' as email,
      now() - interval '1 second' * number as created_at
    from generate_series(1, ${ACCOUNTS}) number
  )
  insert into auth.users (instance_id, id, aud, role, email, encrypted_password, email_confirmed_at,
    raw_app_meta_data, raw_user_meta_data, created_at, updated_at)
  select '00000000-0000-0000-0000-000000000000', id, 'authenticated', 'authenticated', email, $1, created_at,
    '{"provider": "email", "providers": ["email"]}', jsonb_build_object('sub', id, 'email', email),
    created_at, created_at
  from person`;

interface ListTarget {
  url: string;
  databaseUrl: string;
  serviceKey: string;
}

/** Inserts the accounts, which remain, and measures pages of the size that the official client requests by default. */
export async function benchUserList({ url, databaseUrl, serviceKey }: ListTarget): Promise<Figure[]> {
  const database = openDatabase({ url: databaseUrl, max: 1, applicationName: 'bench' });
  try {
    await fill(database);
  } finally {
    await database.close();
  }
  const send = createClient(url, 1);
  const headers = { apikey: serviceKey, authorization: `Bearer ${serviceKey}` };
  const list = async (page: number) => {
    const response = await send(`/auth/v1/admin/users?page=${page}&per_page=${PER_PAGE}`, headers);
    const { users } = JSON.parse(response) as { users: unknown[] };
    if (users.length !== PER_PAGE) throw new Error(`page ${page} has ${users.length} users`);
  };
  return [
    figure('page 1', await medianTimeOf(CALLS, () => list(1)), FIRST_PAGE_MS),
    figure(
      `page ${DEEP_PAGE.toLocaleString('en')}`,
      await medianTimeOf(CALLS, () => list(DEEP_PAGE)),
      DEEP_PAGE_MS,
    ),
  ];
}

async function fill(database: Database): Promise<void> {
  await database.query({ text: FILL, values: [PASSWORD_HASH] });
  await database.query({ text: 'vacuum analyze auth.users' });
}

function figure(page: string, ms: number, targetMs: number): Figure {
  return {
    name: `GET /admin/users, ${page} of ${ACCOUNTS.toLocaleString('en')} accounts`,
    value: `${ms.toFixed(1)} ms`,
    target: { text: `at most ${targetMs} ms`, met: ms <= targetMs },
  };
}
