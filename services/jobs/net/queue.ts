/** The statements on the tables of pg_net. One node at a time runs them, so no row is locked while a request is in progress. */
import type { QueuedRequest, StoredResponse } from './request.ts';

/** Runs a statement on the connection of the queue. */
export type Query = <Row>(text: string, values?: readonly unknown[]) => Promise<Row[]>;

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

const READ = `
  select id, method, url, timeout_milliseconds, body, case when header_bytes <= ${MAX_HEADER_BYTES} then headers end as headers,
    coalesce(header_bytes > ${MAX_HEADER_BYTES}, false) as has_large_headers,
    coalesce(body_bytes > ${MAX_REQUEST_BYTES}, false) as has_large_body
  from (
    select id, method, url, timeout_milliseconds, headers, octet_length(headers::text) as header_bytes,
      octet_length(body) as body_bytes, case when octet_length(body) <= ${MAX_REQUEST_BYTES} then body end as body,
      sum(least(coalesce(octet_length(body), 0), ${MAX_REQUEST_BYTES})) over (order by id) as total_bytes,
      row_number() over (order by id) as place
    from (
      select * from net.http_request_queue where id <> all ($1::bigint[]) order by id limit $2
    ) as first
  ) as due
  where place = 1 or total_bytes <= ${MAX_READ_BYTES}
  order by id`;

/** Stores responses, and removes their requests. A request that was deleted meanwhile gets no response. */
const STORE = `
  with done as (delete from net.http_request_queue where id = any ($1::bigint[]) returning id)
  insert into net._http_response (id, status_code, content_type, headers, content, timed_out, error_msg)
  select id, status_code, content_type, headers, content, timed_out, error_msg
  from json_to_recordset($2::json) as r (
    id bigint, status_code int, content_type text, headers jsonb, content text, timed_out boolean, error_msg text
  )
  where id in (select id from done)`;

const REMOVE = 'delete from net.http_request_queue where id = $1';

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
  id: string;
  method: string;
  url: string;
  timeout_milliseconds: number;
  headers: Record<string, unknown> | null;
  body: Buffer | null;
  has_large_headers: boolean;
  has_large_body: boolean;
}

/** Whether the tables exist. */
export async function hasTables(query: Query): Promise<boolean> {
  const [row] = await query<{ exists: boolean }>(HAS_TABLES);
  return row?.exists ?? false;
}

/** Reads up to `limit` requests, oldest first, except those in progress. */
export async function readQueue(
  query: Query,
  { inProgress, limit }: { inProgress: readonly string[]; limit: number },
): Promise<QueuedRequest[]> {
  const rows = await query<QueueRow>(READ, [inProgress, limit]);
  return rows.map((row) => ({
    id: row.id,
    method: row.method,
    url: row.url,
    headers: row.has_large_headers ? undefined : row.headers,
    body: row.has_large_body ? undefined : row.body,
    timeoutMs: row.timeout_milliseconds,
  }));
}

/** Stores responses in one transaction. */
export async function storeResponses(query: Query, responses: readonly StoredResponse[]): Promise<void> {
  await query(STORE, [responses.map(({ id }) => id), JSON.stringify(responses)]);
}

/** Removes a request without a response. */
export async function removeRequest(query: Query, id: string): Promise<void> {
  await query(REMOVE, [id]);
}

/** Deletes responses that are older than `ttlMs`. */
export async function deleteExpired(query: Query, ttlMs: number): Promise<void> {
  for (;;) {
    const [row] = await query<{ count: number }>(EXPIRE, [ttlMs / 1000]);
    if ((row?.count ?? 0) < EXPIRE_BATCH) return;
  }
}
