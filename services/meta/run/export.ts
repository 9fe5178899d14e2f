/** Streams the rows of a query as CSV (RFC 4180), in constant memory. */
import { type RawClient, runLimited } from '@greenroom/postgres';
import { z } from 'zod';
import { parseBody, sqlParameters, sqlText } from './run-request.ts';

const FETCHED_ROWS = 2000;
const MAX_BATCH_BYTES = 32 * 1024 * 1024;
const UTILITY = { maxRows: 0, maxBytes: 0 };
const NEEDS_QUOTES = /[",\r\n]/;

const exportRequest = z.strictObject({
  /** A query. */
  sql: sqlText(1_000_000),
  parameters: sqlParameters,
  /** Role of the query. Default: `postgres`. */
  role: sqlText(63).min(1).optional(),
  /** Claims of a token, as policies see them. */
  claims: z.record(z.string(), z.unknown()).optional(),
  timeout_ms: z.int().min(1).max(86_400_000).default(3_600_000),
  /** Names the run for `POST /pg/cancel`. */
  id: z.uuid().optional(),
});

/** The body of `POST /pg/export`. */
type ExportRequest = z.output<typeof exportRequest>;

/** Validates a body. Throws an error of the catalogue. */
export function parseExportRequest(body: unknown): ExportRequest {
  return parseBody(exportRequest, body);
}

/**
 * Passes the lines to `write`, which resolves when it accepts more; the first call has the header. All rows are of one snapshot.
 * Rejects with pg's `DatabaseError`.
 */
export async function exportRows(
  client: RawClient,
  { sql, parameters, role, claims, timeout_ms: timeoutMs }: ExportRequest,
  write: (text: string) => Promise<void>,
): Promise<void> {
  await runLimited(client, { text: 'begin read only', ...UTILITY });
  await runLimited(client, {
    text: `select set_config('statement_timeout', $1, true), set_config('idle_in_transaction_session_timeout', '60000', true),
      set_config('request.jwt.claims', $2, true)`,
    values: [String(timeoutMs), claims === undefined ? '' : JSON.stringify(claims)],
    ...UTILITY,
  });
  if (role !== undefined)
    await runLimited(client, { text: `select set_config('role', $1, true)`, values: [role], ...UTILITY });
  await runLimited(client, {
    text: `declare exported no scroll cursor for ${sql}`,
    values: parameters,
    ...UTILITY,
  });
  for (let isFirst = true; ; isFirst = false) {
    const {
      columns = [],
      rows,
      isTruncated,
    } = await runLimited(client, {
      text: `fetch ${FETCHED_ROWS} from exported`,
      maxRows: FETCHED_ROWS,
      maxBytes: MAX_BATCH_BYTES,
    });
    if (isTruncated) throw new Error(`${FETCHED_ROWS} rows have more than ${MAX_BATCH_BYTES} bytes`);
    if (isFirst) await write(lineOf(columns.map(({ name }) => name)));
    if (rows.length > 0) await write(rows.map(lineOf).join(''));
    if (rows.length < FETCHED_ROWS) break;
  }
  await runLimited(client, { text: 'commit', ...UTILITY });
}

/** An empty field is null; an empty text has quotes. */
function lineOf(fields: readonly (string | null)[]): string {
  return `${fields.map(fieldOf).join(',')}\r\n`;
}

function fieldOf(field: string | null): string {
  if (field === null) return '';
  return field === '' || NEEDS_QUOTES.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}
