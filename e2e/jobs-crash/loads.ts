/** The kinds of writes. A further one is an entry of {@link LOADS}. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { CRON_LOADS } from './cron.ts';
import { countsOf, type Journal, type Load, type Surroundings } from './load.ts';

/** One of so many transactions is rolled back. */
const ROLLBACKS = 5;
const IDLE_MS = 20;
const VISIBLE_AGAIN_SECONDS = 1;

/** Runs a statement with a new id as `$1`. Rolls back one of several transactions. */
async function writeNew(
  { query }: Surroundings,
  journal: Journal,
  text: (id: string) => string,
): Promise<void> {
  const id = randomUUID();
  if (Math.random() < 1 / ROLLBACKS) {
    // An error of the same transaction.
    await query(text(id), `do $$ begin raise exception 'rolled back' using errcode = 'UUUUU'; end $$`).catch(
      (error: { code?: string }) => {
        if (error.code !== 'UUUUU') throw error;
      },
    );
    journal.rolledBack.add(id);
    return;
  }
  await query(text(id));
  journal.acknowledged.add(id);
}

/** Notes the ids of the returned messages as finished; waits if there are none. */
async function finishAll(rows: readonly Record<string, unknown>[], journal: Journal): Promise<void> {
  for (const { id } of rows) journal.finished.add(String(id));
  if (rows.length === 0) await sleep(IDLE_MS);
}

const requests: Load = {
  name: 'requests',
  promised: 'at least once',
  writers: 2,
  write: (to, journal) =>
    writeNew(to, journal, (id) => `select net.http_post('${to.endpointUrl}/requests', '{"id": "${id}"}')`),
  count: async ({ received }) => received('/requests'),
};

const webhooks: Load = {
  name: 'webhooks',
  promised: 'at least once',
  migration: (endpointUrl) => `
    create table public.events (id uuid primary key);
    create trigger notify after insert on public.events for each row execute function
      supabase_functions.http_request('${endpointUrl}/webhooks', 'POST', '{"Content-Type": "application/json"}', '{}', '5000');`,
  writers: 2,
  write: (to, journal) => writeNew(to, journal, (id) => `insert into public.events values ('${id}')`),
  count: async ({ received }) => received('/webhooks'),
};

/** A webhook calls a function, which adds a row by the API. */
const functions: Load = {
  name: 'functions',
  promised: 'at least once',
  migration: () => `
    create table public.tasks (id uuid primary key);
    create table public.done (id uuid);
    grant insert on public.done to service_role;
    create trigger run after insert on public.tasks for each row execute function
      supabase_functions.http_request('http://kong:8000/functions/v1/work', 'POST', '{"Content-Type": "application/json"}', '{}', '5000');`,
  functions: {
    work: `Deno.serve(async (request) => {
      const { record } = await request.json();
      const key = Deno.env.get('SUPABASE_SERVICE_ROLE_KEY');
      const { ok, status } = await fetch(Deno.env.get('SUPABASE_URL') + '/rest/v1/done', {
        method: 'POST',
        headers: { apikey: key, authorization: 'Bearer ' + key, 'content-type': 'application/json' },
        body: JSON.stringify({ id: record.id }),
      });
      return new Response(null, { status: ok ? 204 : status });
    });`,
  },
  writers: 1,
  write: (to, journal) => writeNew(to, journal, (id) => `insert into public.tasks values ('${id}')`),
  count: async ({ query }) => countsOf(await query('select id, count(*) from public.done group by id')),
};

/** Clients that call a function, which keeps nothing. */
const calls: Load = {
  name: 'calls',
  functions: { echo: 'Deno.serve(async (request) => new Response(await request.text()));' },
  writers: 1,
  async write({ url }, journal) {
    const id = randomUUID();
    const response = await fetch(`${url}/functions/v1/echo`, { method: 'POST', body: id });
    const text = await response.text();
    if (!response.ok) throw new Error(`the function responded with ${response.status}: ${text}`);
    if (text !== id) throw new Error(`the function responded with ${text} instead of ${id}`);
    journal.finished.add(id);
  },
};

const archived: Load = {
  name: 'archived messages',
  promised: 'exactly once',
  migration: () => `create extension if not exists pgmq; select pgmq.create('archived');`,
  writers: 2,
  write: (to, journal) => writeNew(to, journal, (id) => `select pgmq.send('archived', '{"id": "${id}"}')`),
  async work({ query }, journal) {
    const messages = await query(
      `select msg_id, message ->> 'id' as id from pgmq.read('archived', ${VISIBLE_AGAIN_SECONDS}, 5)`,
    );
    const ids = messages.map(({ msg_id }) => Number(msg_id)).join();
    if (ids !== '') await query(`select * from pgmq.archive('archived', array[${ids}]::bigint[])`);
    await finishAll(messages, journal);
  },
  count: async ({ query }) =>
    countsOf(
      await query(`select message ->> 'id' as id, count(*) from
        (select message from pgmq.q_archived union all select message from pgmq.a_archived) as all_messages group by 1`),
    ),
  finished: async ({ query }) =>
    new Set((await query(`select message ->> 'id' as id from pgmq.a_archived`)).map(({ id }) => String(id))),
};

/** Messages that a worker pops and processes in the same transaction. */
const popped: Load = {
  name: 'popped messages',
  promised: 'exactly once',
  migration: () => `
    create extension if not exists pgmq;
    select pgmq.create('popped');
    create table public.popped (id text);`,
  writers: 2,
  write: (to, journal) => writeNew(to, journal, (id) => `select pgmq.send('popped', '{"id": "${id}"}')`),
  async work({ query }, journal) {
    const text = `insert into public.popped select message ->> 'id' from pgmq.pop('popped') returning id`;
    await finishAll(await query(text), journal);
  },
  count: async ({ query }) =>
    countsOf(
      await query(`select id, count(*) from
        (select message ->> 'id' as id from pgmq.q_popped union all select id from public.popped) as all_messages group by 1`),
    ),
  finished: async ({ query }) =>
    new Set((await query('select id from public.popped')).map(({ id }) => String(id))),
};

/** All kinds of writes. */
export const LOADS: readonly Load[] = [requests, webhooks, functions, calls, archived, popped, ...CRON_LOADS];
