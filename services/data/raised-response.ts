/**
 * `RAISE SQLSTATE 'PGRST'`: a function defines the whole response. MESSAGE has the body as JSON, DETAIL has the status and
 * the headers as JSON.
 */
import { z } from 'zod';
import { failure } from './errors.ts';
import { type Header, headerProblem, isFinalStatus } from './headers.ts';
import type { SqlError } from './sql-state.ts';

/** The SQLSTATE that marks MESSAGE and DETAIL as a response. */
export const RAISED_RESPONSE = 'PGRST';

export interface RaisedResponse {
  status: number;
  statusText: string | undefined;
  headers: readonly Header[];
  body: { code: string; message: string; details: string | null; hint: string | null };
}

const raisedBody = z.object({
  code: z.string(),
  message: z.string(),
  details: z.string().nullish(),
  hint: z.string().nullish(),
});

// As entries, because a header may have the name of a property of `Object.prototype`.
const raisedHeaders = z
  .custom<Record<string, unknown>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  )
  .transform((value) => Object.entries(value))
  .pipe(z.array(z.tuple([z.string(), z.string()])));

const raisedHead = z.object({
  status: z.int().refine(isFinalStatus),
  status_text: z.string().nullish(),
  headers: raisedHeaders,
});

/** Parses a raised response. Throws PGRST121 if it has another shape or contains a header that cannot be sent. */
export function parseRaisedResponse({ message, detail }: SqlError): RaisedResponse {
  const body = raisedBody.safeParse(parsedJson(message));
  if (!body.success) throw malformed('MESSAGE', message);
  if (detail === undefined || detail === '') throw malformed('DETAIL', '');
  const head = raisedHead.safeParse(parsedJson(detail));
  if (!head.success || head.data.headers.some((header) => headerProblem(header) !== undefined)) {
    throw malformed('DETAIL', detail);
  }
  const { status, status_text: statusText, headers } = head.data;
  const { code, message: text, details = null, hint = null } = body.data;
  return {
    status,
    statusText: statusText ?? undefined,
    headers,
    body: { code, message: text, details, hint },
  };
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const SHAPES = {
  MESSAGE:
    "MESSAGE must be a JSON object with obligatory keys: 'code', 'message' and optional keys: 'details', 'hint'.",
  DETAIL:
    "DETAIL must be a JSON object with obligatory keys: 'status', 'headers' and optional key: 'status_text'.",
};

function malformed(part: keyof typeof SHAPES, text: string) {
  const isMissing = part === 'DETAIL' && text === '';
  const details = isMissing
    ? 'DETAIL is missing in the RAISE statement'
    : `Invalid JSON value for ${part}: '${text}'`;
  return failure('PGRST121', { extra: { details, hint: SHAPES[part] } });
}
