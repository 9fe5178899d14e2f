/** The one row that the main statement of a request returns. */
import type { Readable } from 'node:stream';
import type { LargeRow, RawRow, ResultFormats } from '@greenroom/postgres';

/** The columns of the main statement, in this order. */
const MAIN_COLUMNS = [
  /** bigint: rows in all; null where they were not counted. */
  'total_count',
  /** bigint: rows of this page, or rows that were written. */
  'page_count',
  /** bigint: of an upsert, the rows that were not there before; null otherwise. */
  'inserted_count',
  /** text: where the row is that was written; null where the answer does not need it. */
  'location',
  /** text: setting `response.headers`; null or empty where no function has set it. */
  'response_headers',
  /** text: setting `response.status`; likewise. */
  'response_status',
  /** text, json, xml or bytea, but not jsonb, whose binary form is another: the body, byte for byte. */
  'body',
] as const;

/** The body is asked for in binary format: that of text and JSON is the text, and that of bytea is the bytes. */
export const MAIN_FORMATS: ResultFormats = MAIN_COLUMNS.map((column) => (column === 'body' ? 1 : 0));

/** What the main statement has answered. */
export interface Outcome {
  totalCount: number | undefined;
  /** What PostgreSQL expects in all, where it was asked. */
  estimatedCount?: number | undefined;
  pageCount: number;
  insertedCount: number | undefined;
  location: string | undefined;
  /** JSON text as a function has set it, not checked yet. */
  responseHeaders: string | undefined;
  /** Text as a function has set it, not checked yet. */
  responseStatus: string | undefined;
  /** Undefined where the statement makes none. */
  body: Buffer | LargeBody | undefined;
}

/** A body that is still being received from the database while it is sent. A receiver that does not need it destroys it. */
export interface LargeBody {
  /** In bytes. */
  length: number;
  stream: Readable;
}

/** Reads the rows of the main statement. Throws where they are not one row of {@link MAIN_COLUMNS}. */
export function readOutcome(rows: readonly RawRow[]): Outcome {
  const [row] = rows;
  if (rows.length !== 1 || row?.length !== MAIN_COLUMNS.length) {
    throw new Error(
      `the main statement gave ${rows.length} rows of ${row?.length ?? 0} columns; one of ${MAIN_COLUMNS.length} is needed`,
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

/** Reads a row of the main statement whose body is still coming. */
export function readLargeOutcome({ fields, length, field }: LargeRow): Outcome {
  return { ...readOutcome([[...fields, null]]), body: { length, stream: field } };
}

/** The body, once all of it is there; empty where there is none. */
export async function wholeBody({ body }: Pick<Outcome, 'body'>): Promise<Buffer> {
  if (body === undefined) return Buffer.alloc(0);
  return isLargeBody(body) ? Buffer.concat(await body.stream.toArray()) : body;
}

/** Whether a body is still coming. */
export function isLargeBody(body: Buffer | string | LargeBody | undefined): body is LargeBody {
  return typeof body === 'object' && 'stream' in body;
}

/** Gives up a body that is still coming, so that its connection is free. */
export function discardBody({ body }: Pick<Outcome, 'body'>): void {
  if (isLargeBody(body)) body.stream.destroy();
}

/** Reads the lines of an explained statement: all of them are the body. */
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

/** Reads how many rows an explained query is expected to have. */
export function readEstimate(rows: readonly RawRow[]): number {
  const text = rows[0]?.[0]?.toString('utf8') ?? '';
  const [explained] = JSON.parse(text) as [{ Plan: { 'Plan Rows': number } }];
  return explained.Plan['Plan Rows'];
}

function numberOf(field: Buffer | null | undefined): number | undefined {
  return field ? Number(field.toString('latin1')) : undefined;
}

/** A setting that was set in an earlier transaction of the connection is empty, and not null. */
function textOf(field: Buffer | null | undefined): string | undefined {
  return field?.length ? field.toString('utf8') : undefined;
}
