/** `POST /pg/query`, in the format of postgres-meta: rows as objects with values of JSON. */

import pg from 'pg';
import { z } from 'zod';
import { failure } from '../errors.ts';
import type { RunOutcome } from './run.ts';
import { parseBody, sqlParameters, sqlText } from './run-request.ts';

const queryRequest = z.object({
  query: sqlText(10_000_000),
  parameters: sqlParameters,
});

/** Validates a body. Throws an error of the catalogue. */
export function parseQueryRequest(body: unknown): z.output<typeof queryRequest> {
  return parseBody(queryRequest, body);
}

/** Returns the rows of the last statement. Throws an error of the catalogue for one that failed. */
export function rowsOfOutcome({ results, error }: RunOutcome): Record<string, unknown>[] {
  if (error !== null) {
    const { offset, statement: _, ...fields } = error;
    const position = offset === null ? {} : { position: offset + 1 };
    throw failure('sql_error', {
      message: error.message,
      extra: { ...fields, ...position, error: error.message },
    });
  }
  const last = results.at(-1);
  if (last?.is_truncated)
    throw failure('result_too_large', { message: 'The result is too large. Add a limit to the query.' });
  const columns = last?.columns ?? [];
  return (last?.rows ?? []).map((row) =>
    Object.fromEntries(
      columns.map(({ name, type_oid: type }, index) => [name, toJson(row[index] ?? null, type)]),
    ),
  );
}

/** Dates and times stay texts: JavaScript's have no microseconds. */
const TEMPORAL = new Set([1082, 1083, 1114, 1184, 1266, 1186, 1115, 1182, 1183, 1185, 1187]);
const BIGINT = 20;

function toJson(text: string | null, type: number): unknown {
  if (text === null || TEMPORAL.has(type)) return text;
  if (type === BIGINT) return Number.isSafeInteger(Number(text)) ? Number(text) : text;
  return (pg.types.getTypeParser(type, 'text') as (value: string) => unknown)(text);
}
