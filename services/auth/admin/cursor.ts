/**
 * Keyset pagination: a page starts after a row instead of at an offset, so the last pages of a long list are as
 * fast as the first. Clients receive the position as an opaque cursor.
 */
import { z } from 'zod';
import { failure } from '../errors.ts';
import { isUuid } from '../http/uuid.ts';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 1000;
const WHOLE_NUMBER = /^\d{1,15}$/;

/** Identifies the last row of a page. */
interface Cursor {
  /** Time of creation in microseconds since the epoch, PostgreSQL's full precision. */
  createdAt: number;
  id: string;
}

/** The requested page; the first one without `after`. */
export interface CursorPage {
  limit: number;
  after: Cursor | undefined;
}

const cursor = z.object({
  created_at: z.int().nonnegative(),
  id: z.string().refine(isUuid),
});

/** Parses `limit` (capped at 1000) and `cursor`. Throws `validation_failed`. */
export function readCursorPage(query: URLSearchParams): CursorPage {
  const limit = query.get('limit') || String(DEFAULT_LIMIT);
  if (!WHOLE_NUMBER.test(limit))
    throw validationFailure(`limit must be a whole number, not ${JSON.stringify(limit)}`);
  if (Number(limit) === 0) throw validationFailure('limit must be greater than 0');
  const text = query.get('cursor') ?? '';
  return {
    limit: Math.min(Number(limit), MAX_LIMIT),
    after: text === '' ? undefined : parseCursor(text),
  };
}

/** Encodes a cursor for clients. */
export function formatCursor({ createdAt, id }: Cursor): string {
  return Buffer.from(JSON.stringify({ created_at: createdAt, id })).toString('base64url');
}

function parseCursor(text: string): Cursor {
  const parsed = cursor.safeParse(parseJson(Buffer.from(text, 'base64url').toString()));
  if (!parsed.success) throw validationFailure('invalid cursor');
  return { createdAt: parsed.data.created_at, id: parsed.data.id };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Query parameters that links repeat. Links omit all others, since a query may contain the API key. */
const LINK_PARAMETERS = ['limit', 'filter', 'sort'];

/** Returns header `Link` (RFC 8288) to the next page; no header on the last page. */
export function cursorHeaders(target: string, next: string | undefined): Record<string, string> {
  if (next === undefined) return {};
  const [path, search = ''] = target.split('?', 2);
  const query = new URLSearchParams(search);
  const link = new URLSearchParams({ cursor: next });
  for (const name of LINK_PARAMETERS) {
    const value = query.get(name);
    if (value !== null) link.set(name, value);
  }
  return { link: `<${path}?${link}>; rel="next"` };
}

function validationFailure(reason: string) {
  return failure('validation_failed', { message: `Bad Pagination Parameters: ${reason}` });
}
