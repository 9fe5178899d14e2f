/** Token refresh, beside the statements that it cannot do without, sent by the same driver in the same run. */
import { randomUUID } from 'node:crypto';
import { type Database, openDatabase, type Statement } from '@greenroom/postgres';
import { createClient } from '@supabase/supabase-js';
import { type Figure, rateText } from './measure/figure.ts';
import { measureCalls, type Rate } from './measure/load.ts';
import { readKeys, startGreenroomProcess, temporaryFolder } from './measure/process.ts';

const CONCURRENCY = 16;

/** Runs the group. */
export async function benchTokens(): Promise<Figure[]> {
  const { folder, remove } = await temporaryFolder();
  const instance = await startGreenroomProcess(folder);
  const { ANON_KEY = '', DB_URL = '' } = await readKeys(folder);
  const refresh = await measureRefresh(instance.url, ANON_KEY);
  const raw = await measureRawQueries(DB_URL);
  await instance.stop();
  await remove();
  return [
    { name: 'the raw queries of a refresh', value: rateText(raw) },
    {
      name: 'POST /token?grant_type=refresh_token',
      value: rateText(refresh),
      ratio: { of: 'the raw queries', share: refresh.perSecond / raw.perSecond },
    },
  ];
}

async function measureRefresh(url: string, anonKey: string): Promise<Rate> {
  const tokens = await Promise.all(Array.from({ length: CONCURRENCY }, () => signUp(url, anonKey)));
  return measureCalls(CONCURRENCY, async (loop) => {
    const answer = await fetch(`${url}/auth/v1/token?grant_type=refresh_token`, {
      method: 'POST',
      headers: { apikey: anonKey, 'content-type': 'application/json' },
      body: JSON.stringify({ refresh_token: tokens[loop] }),
    });
    const body = (await answer.json()) as { refresh_token?: string };
    if (!body.refresh_token) throw new Error(`refresh answered ${answer.status}`);
    tokens[loop] = body.refresh_token;
  });
}

async function signUp(url: string, anonKey: string): Promise<string> {
  const client = createClient(url, anonKey, { auth: { persistSession: false, autoRefreshToken: false } });
  const { data, error } = await client.auth.signUp({
    email: `${randomUUID()}@example.org`,
    password: 'correct horse',
  });
  if (!data.session) throw error ?? new Error('no session');
  return data.session.refresh_token;
}

/** Look up and lock; spend, insert the successor, note it on the session: in two flushes, as few as it takes. */
async function measureRawQueries(url: string): Promise<Rate> {
  const database = openDatabase({ url, max: CONCURRENCY, applicationName: 'bench' });
  const tokens = await database.query<{ token: string }>({
    text: 'select token from auth.refresh_tokens where not revoked order by id limit $1',
    values: [CONCURRENCY],
  });
  const rate = await measureCalls(CONCURRENCY, async (loop) => {
    const next = randomUUID();
    await rotate(database, tokens[loop]?.token ?? '', next);
    tokens[loop] = { token: next };
  });
  await database.close();
  return rate;
}

const rotate = (database: Database, token: string, next: string): Promise<unknown> =>
  database.transaction(async (tx) => {
    const [held] = await tx.query<{ id: string; session_id: string; user_id: string }>(lock(token));
    if (!held) throw new Error('token not found');
    return tx.commit([
      spend(held.id),
      insert(next, token, held.session_id, held.user_id),
      note(held.session_id),
    ]);
  });

const lock = (token: string): Statement => ({
  name: 'bench_lock',
  text: `select t.id, t.session_id, u.id as user_id, u.email, u.raw_app_meta_data, u.raw_user_meta_data
    from auth.refresh_tokens t join auth.sessions s on s.id = t.session_id join auth.users u on u.id = s.user_id
    where t.token = $1 for update of t, s`,
  values: [token],
});
const spend = (id: string): Statement => ({
  name: 'bench_spend',
  text: 'update auth.refresh_tokens set revoked = true, updated_at = now() where id = $1',
  values: [id],
});
const insert = (token: string, parent: string, sessionId: string, userId: string): Statement => ({
  name: 'bench_insert',
  text: `insert into auth.refresh_tokens (token, parent, session_id, user_id, revoked, created_at, updated_at)
    values ($1, $2, $3, $4, false, now(), now())`,
  values: [token, parent, sessionId, userId],
});
const note = (sessionId: string): Statement => ({
  name: 'bench_note',
  text: `update auth.sessions set refreshed_at = now() at time zone 'utc', updated_at = now() where id = $1`,
  values: [sessionId],
});
