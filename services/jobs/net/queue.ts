/** The statements on the tables of pg_net. One node at a time runs them, so no row is locked while a request is in progress. */
import type { Query } from '../query.ts';
import type { HostRoom } from './host-limits.ts';
import { withTables } from './lock-tables.ts';
import type { NextStep } from './next-step.ts';
import type { QueuedRequest, StoredResponse } from './request.ts';

/** The channel that `net.http_post` and the other functions notify. */
export const NET_CHANNEL = 'greenroom_net';

/** Limits of a request. */
export const MAX_REQUEST_BYTES = 16 * 1024 * 1024;
export const MAX_HEADER_BYTES = 64 * 1024;
/** Maximum size of the bodies that are read at once, except for a single larger one. */
const MAX_READ_BYTES = 32 * 1024 * 1024;

/**
 * Whether the database has the tables that Greenroom creates, and not those of the hosted service's extension, whose worker
 * is part of PostgreSQL.
 */
const HAS_TABLES = `
  select count(*) = 2 as exists
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = relnamespace
  where nspname = 'net' and relname in ('http_request_queue', '_http_response') and relkind = 'r'
    and relowner = current_user::regrole`;

/** Host and port of the column `url`, without a user and password. */
export const HOST = `lower(split_part(split_part(url, '/', 3), '@', -1))`;

/** The key of a request: the table and the column `id`. */
const KEY = `concat('net.http_request_queue'::regclass::oid, '/', id)`;

/** $1: keys of requests in progress. $2: maximum number. $3: hosts without room. $4: room of some hosts. $5: room of the others. */
const READ = `
  select due.key, due.id, due.method, due.url, due.timeout_milliseconds, due.body, due.host,
    case when header_bytes <= ${MAX_HEADER_BYTES} then due.headers end as headers,
    coalesce(header_bytes > ${MAX_HEADER_BYTES}, false) as has_large_headers,
    coalesce(body_bytes > ${MAX_REQUEST_BYTES}, false) as has_large_body,
    w.id as webhook_id, w.hook_name, w.attempts
  from (
    select key, id, method, url, timeout_milliseconds, headers, host, octet_length(headers::text) as header_bytes,
      octet_length(body) as body_bytes, case when octet_length(body) <= ${MAX_REQUEST_BYTES} then body end as body,
      sum(least(coalesce(octet_length(body), 0), ${MAX_REQUEST_BYTES})) over (order by id) as total_bytes,
      row_number() over (order by id) as place
    from (
      select *, row_number() over (partition by host order by id) as place_of_host
      from (
        select *, ${KEY} as key, ${HOST} as host from net.http_request_queue
        where ${KEY} <> all ($1::text[]) and ${HOST} <> all ($3::text[])
        order by id limit $2
      ) as first
    ) as candidates
    where place_of_host <= coalesce(($4::jsonb ->> host)::int, $5)
  ) as due
  left join greenroom.webhooks as w on w.request_id = due.id
  where place = 1 or total_bytes <= ${MAX_READ_BYTES}
  order by due.id`;

/**
 * Removes requests, and records the next steps of webhooks; these keep the request for further attempts. Values of $1 whose
 * requests were deleted meanwhile, or were in a table that was dropped, have no effect.
 */
const SETTLE = `
  with ended as materialized (
    select * from json_to_recordset($1::json) as r (
      key text, id bigint, status_code int, content_type text, headers jsonb, content text, timed_out boolean, error_msg text,
      webhook_state text, pause_ms float8, reason text
    )
    where key = ${KEY}
  ), done as (
    delete from net.http_request_queue where id = any (array(select id from ended))
    returning id, method, headers, body, timeout_milliseconds
  ), given as (
    select * from ended where id in (select id from done)
  ), delivered as (
    delete from greenroom.webhooks as w using given
    where w.request_id = given.id and webhook_state = 'delivered'
  ), repeated as (
    update greenroom.webhooks as w
    set state = webhook_state, request_id = null, attempts = w.attempts + 1, last_status = status_code, last_error = reason,
      next_attempt_at = now() + make_interval(secs => pause_ms / 1000),
      failed_at = case when webhook_state = 'failed' then now() end,
      method = done.method, headers = done.headers, body = done.body, timeout_milliseconds = done.timeout_milliseconds
    from given join done using (id)
    where w.request_id = given.id and webhook_state in ('waiting', 'failed')
  )`;

const STORE = `${SETTLE}
  insert into net._http_response (id, status_code, content_type, headers, content, timed_out, error_msg)
  select id, status_code, content_type, headers, content, timed_out, error_msg from given`;

const SETTLE_ONLY = `${SETTLE} select from given`;

const EXPIRE_BATCH = 1000;
const EXPIRE = `
  with expired as (
    delete from net._http_response where ctid = any (array(
      select ctid from net._http_response
      where created < now() - make_interval(secs => $1) order by created limit ${EXPIRE_BATCH}
    )) returning 1
  )
  select count(*)::int as count from expired`;

interface QueueRow {
  key: string;
  id: string;
  method: string;
  url: string;
  timeout_milliseconds: number;
  headers: Record<string, unknown> | null;
  body: Buffer | null;
  has_large_headers: boolean;
  has_large_body: boolean;
  host: string;
  webhook_id: string | null;
  hook_name: string;
  attempts: number;
}

/** The end of a request. */
export interface SettledRequest {
  key: string;
  response: StoredResponse;
  /** The next step if a webhook has added the request. */
  step: NextStep | undefined;
}

/** Whether the tables exist. */
export async function hasTables(query: Query): Promise<boolean> {
  const [row] = await query<{ exists: boolean }>(HAS_TABLES);
  return row?.exists ?? false;
}

/** Reads up to `limit` requests, oldest first, except those in progress and those to hosts without room. */
export async function readQueue(
  query: Query,
  { inProgress, limit, hosts }: { inProgress: readonly string[]; limit: number; hosts: HostRoom },
): Promise<QueuedRequest[]> {
  const { full, rooms, otherRoom } = hosts;
  const values = [inProgress, limit, full, JSON.stringify(rooms), otherRoom];
  const rows = await query<QueueRow>(READ, values);
  return rows.map((row) => ({
    key: row.key,
    id: row.id,
    method: row.method,
    url: row.url,
    headers: row.has_large_headers ? undefined : row.headers,
    body: row.has_large_body ? undefined : row.body,
    timeoutMs: row.timeout_milliseconds,
    host: row.host,
    webhook:
      row.webhook_id === null
        ? undefined
        : { id: row.webhook_id, hook: row.hook_name, attempts: row.attempts },
  }));
}

/** Removes requests and stores their responses, in one transaction. Rejects with {@link TablesUnavailableError}. */
export async function storeResponses(query: Query, settled: readonly SettledRequest[]): Promise<void> {
  const tables = { names: ['net.http_request_queue', 'net._http_response', 'greenroom.webhooks'] };
  await withTables(query, tables, { text: STORE, values: settleValues(settled) });
}

/** Removes a request without a response. */
export async function removeRequest(query: Query, settled: SettledRequest): Promise<void> {
  await query(SETTLE_ONLY, settleValues([settled]));
}

function settleValues(settled: readonly SettledRequest[]): unknown[] {
  const given = settled.map(({ key, response, step }) => ({
    key,
    ...response,
    webhook_state: step?.state ?? null,
    pause_ms: step?.state === 'waiting' ? step.pauseMs : null,
    reason: step === undefined || step.state === 'delivered' ? null : step.reason,
  }));
  return [JSON.stringify(given)];
}

/** Deletes responses that are older than `ttlMs`. */
export async function deleteExpired(query: Query, ttlMs: number): Promise<void> {
  for (;;) {
    const [row] = await query<{ count: number }>(EXPIRE, [ttlMs / 1000]);
    if ((row?.count ?? 0) < EXPIRE_BATCH) return;
  }
}
