/** The statements on deliveries of webhooks. They run on the connection of the queue. */
import type { WebhookCounts } from '../metrics.ts';
import type { Query } from '../query.ts';
import { withTables } from './lock-tables.ts';
import { HOST } from './queue.ts';

/** Number of failed webhooks that are kept. */
const MAX_FAILED = 10_000;
/** Size of the bodies of failed webhooks that are kept. */
const MAX_FAILED_BYTES = 256 * 1024 * 1024;
/** Number of webhooks that wait for their next attempt; the oldest ones beyond it fail. */
const MAX_WAITING = 100_000;
const MAX_STARTED = 50;

const SEQUENCE = `pg_get_serial_sequence('net.http_request_queue', 'id')`;

/** Moves requests that are due into the queue. The values of $1 are hosts without room. */
const START_DUE = `
  with due as (
    select id, method, url, headers, body, timeout_milliseconds,
      nextval(${SEQUENCE}) as new_request_id
    from (
      select * from greenroom.webhooks
      where state = 'waiting' and next_attempt_at <= now() and ${HOST} <> all ($1::text[])
      order by next_attempt_at limit ${MAX_STARTED}
    ) as first
  ), started as (
    update greenroom.webhooks as w
    set state = 'sending', request_id = new_request_id, request_ids = w.request_ids || new_request_id,
      next_attempt_at = null, method = null, headers = null, body = null, timeout_milliseconds = null
    from due where w.id = due.id and w.state = 'waiting'
    returning w.id
  ), queued as (
    insert into net.http_request_queue (id, method, url, headers, body, timeout_milliseconds)
    select new_request_id, method, url, headers, body, timeout_milliseconds from due
    where id in (select id from started)
    returning 1
  )
  select count(*)::int as count from queued`;

const NEXT_DUE = `
  select (extract(epoch from min(next_attempt_at) - now()) * 1000)::float8 as ms
  from greenroom.webhooks where state = 'waiting'`;

/** Removes deliveries whose requests were deleted, e.g. with the extension. */
const REMOVE_ORPHANS = `
  delete from greenroom.webhooks as w
  where state = 'sending' and not exists (select from net.http_request_queue as q where q.id = w.request_id)`;

const FAIL_EXCESS = `
  update greenroom.webhooks set state = 'failed', failed_at = now(), next_attempt_at = null
  where id in (
    select id from greenroom.webhooks where state = 'waiting' order by created_at desc, id offset ${MAX_WAITING}
  )`;

const DELETE_FAILED = `
  delete from greenroom.webhooks where id in (
    select id from (
      select id, failed_at, row_number() over newest as place, sum(coalesce(octet_length(body), 0)) over newest as bytes
      from greenroom.webhooks where state = 'failed'
      window newest as (order by failed_at desc, id)
    ) as failed
    where failed_at < now() - make_interval(secs => $1) or place > ${MAX_FAILED} or bytes > ${MAX_FAILED_BYTES}
  )`;

const COUNT = `
  select count(*) filter (where state <> 'failed')::int as pending, count(*) filter (where state = 'failed')::int as failed,
    coalesce(extract(epoch from now() - min(created_at) filter (where state <> 'failed')), 0)::float8 as oldest_seconds
  from greenroom.webhooks`;

/** Moves requests of webhooks that are due into the queue, except for those to hosts without room. Returns their number. */
export async function startDueWebhooks(query: Query, fullHosts: readonly string[]): Promise<number> {
  const tables = { names: ['net.http_request_queue', 'greenroom.webhooks'], sequence: SEQUENCE };
  const [row] = await withTables<{ count: number }>(query, tables, { text: START_DUE, values: [fullHosts] });
  return row?.count ?? 0;
}

/** Returns the milliseconds until the next attempt is due, negative if it is overdue; undefined if no webhook waits. */
export async function nextWebhookDueMs(query: Query): Promise<number | undefined> {
  const [row] = await query<{ ms: number | null }>(NEXT_DUE);
  return row?.ms ?? undefined;
}

/** Removes deliveries without requests, and failed ones that are too old or too many. */
export async function cleanUpWebhooks(query: Query, failedTtlMs: number): Promise<void> {
  await query(REMOVE_ORPHANS);
  await query(FAIL_EXCESS);
  await query(DELETE_FAILED, [failedTtlMs / 1000]);
}

/** Counts the deliveries. */
export async function countWebhooks(query: Query): Promise<WebhookCounts> {
  const [row] = await query<WebhookCounts>(COUNT);
  return row ?? { pending: 0, failed: 0, oldest_seconds: 0 };
}
