/** Reads the row that the main statement of a request returns. */
import type { Readable } from 'node:stream';
import type { LargeRow, RawRow, ResultFormats } from '@greenroom/postgres';

/** The columns of the main statement, in this order. */
const MAIN_COLUMNS = [
  /** bigint: the number of all rows; null if they were not counted. */
  'total_count',
  /** bigint: the number of rows of this page, or of written rows. */
  'page_count',
  /** bigint: for an upsert, the number of rows that did not exist before; null otherwise. */
  'inserted_count',
  /** text: the primary key of the written row as a JSON array; null if the response does not need it. */
  'location',
  /** text: the setting `response.headers`; null or empty if no function has set it. */
  'response_headers',
  /** text: the setting `response.status`; null or empty if no function has set it. */
  'response_status',
  /** text, json, xml or bytea: the body, byte for byte. Not jsonb, whose binary format differs from its text. */
  'body',
] as const;

/** Result formats. The body is requested in binary format, which is the text for text and JSON, and the bytes for bytea. */
export const MAIN_FORMATS: ResultFormats = MAIN_COLUMNS.map((column) => (column === 'body' ? 1 : 0));

/** The result of the main statement. */
export interface Outcome {
  totalCount: number | undefined;
  /** The planner's estimate of the number of all rows, if the request needs it. */
  estimatedCount?: number | undefined;
  pageCount: number;
  insertedCount: number | undefined;
  location: string | undefined;
  /** JSON text that a function set; not validated yet. */
  responseHeaders: string | undefined;
  /** Text that a function set; not validated yet. */
  responseStatus: string | undefined;
  /** Undefined if the response has no body. */
  body: Buffer | LargeBody | undefined;
}

/** A body that is streamed from the database. A consumer that does not read it must destroy the stream. */
export interface LargeBody {
  /** In bytes. */
  length: number;
  stream: Readable;
}

/** Reads the rows of the main statement. Throws if they are not exactly one row with the columns {@link MAIN_COLUMNS}. */
export function readOutcome(rows: readonly RawRow[]): Outcome {
  const [row] = rows;
  if (rows.length !== 1 || row?.length !== MAIN_COLUMNS.length) {
    throw new Error(
      `the main statement returned ${rows.length} rows of ${row?.length ?? 0} columns; expected one row of ${MAIN_COLUMNS.length} columns`,
    );
  }
  const [totalCount, pageCount, insertedCount, location, responseHeaders, responseStatus, body] = row;
  return {
    totalCount: numberOf(totalCount),
    pageCount: numberOf(pageCount) ?? 0,
    insertedCount: numberOf(insertedCount),
    location: textOf(location),
    responseHeaders: textOf(responseHeaders),
    responseStatus: textOf(responseStatus),
    body: body ?? undefined,
  };
}

/** Reads a row of the main statement whose body is streamed. */
export function readLargeOutcome({ fields, length, field }: LargeRow): Outcome {
  return { ...readOutcome([[...fields, null]]), body: { length, stream: field } };
}

/** Returns the complete body after it has been received, or an empty buffer if there is none. */
export async function wholeBody({ body }: Pick<Outcome, 'body'>): Promise<Buffer> {
  if (body === undefined) return Buffer.alloc(0);
  return isLargeBody(body) ? Buffer.concat(await body.stream.toArray()) : body;
}

/** Whether a body is streamed. */
export function isLargeBody(body: Buffer | string | LargeBody | undefined): body is LargeBody {
  return typeof body === 'object' && 'stream' in body;
}

/** Destroys the stream of a large body, so that its connection becomes available. */
export function discardBody({ body }: Pick<Outcome, 'body'>): void {
  if (isLargeBody(body)) body.stream.destroy();
}

/** Reads the rows of an EXPLAIN statement: all lines together are the body. */
export function readPlan(rows: readonly RawRow[]): Outcome {
  const lines = rows.map(([line]) => line?.toString('utf8') ?? '');
  return {
    totalCount: undefined,
    pageCount: 0,
    insertedCount: undefined,
    location: undefined,
    responseHeaders: undefined,
    responseStatus: undefined,
    body: Buffer.from(lines.join('\n')),
  };
}

/** Reads the planner's estimate of the row count. */
export function readEstimate(rows: readonly RawRow[]): number {
  const text = rows[0]?.[0]?.toString('utf8') ?? '';
  const [explained] = JSON.parse(text) as [{ Plan: { 'Plan Rows': number } }];
  return explained.Plan['Plan Rows'];
}

function numberOf(field: Buffer | null | undefined): number | undefined {
  return field ? Number(field.toString('latin1')) : undefined;
}

/**
 * Returns undefined for an empty text, too: a setting that an earlier transaction of the connection set is empty, not
 * null.
 */
function textOf(field: Buffer | null | undefined): string | undefined {
  return field?.length ? field.toString('utf8') : undefined;
}
