/**
 * Pages of a list that begin behind a row instead of after a number of rows: as quick at the end of a long list as at
 * its beginning. Where a page ends is told as a cursor, which means nothing to clients.
 */
import { z } from 'zod';
import { failure } from '../errors.ts';
import { isUuid } from '../http/uuid.ts';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 1000;
const WHOLE_NUMBER = /^\d{1,15}$/;

/** The last row of a page. */
interface Cursor {
  /** When it was made, in microseconds since the epoch: as exactly as PostgreSQL knows. */
  createdAt: number;
  id: string;
}

/** What is asked for; without `after`, the first page. */
export interface CursorPage {
  limit: number;
  after: Cursor | undefined;
}

const cursor = z.object({
  created_at: z.int().nonnegative(),
  id: z.string().refine(isUuid),
});

/** Reads `limit`, of which no more than 1000 counts, and `cursor`. Throws `validation_failed`. */
export function readCursorPage(query: URLSearchParams): CursorPage {
  const limit = query.get('limit') || String(DEFAULT_LIMIT);
  if (!WHOLE_NUMBER.test(limit)) throw refused(`limit must be a whole number, not ${JSON.stringify(limit)}`);
  if (Number(limit) === 0) throw refused('limit must be greater than 0');
  const text = query.get('cursor') ?? '';
  return {
    limit: Math.min(Number(limit), MAX_LIMIT),
    after: text === '' ? undefined : parseCursor(text),
  };
}

/** As it goes over the wire. */
export function formatCursor({ createdAt, id }: Cursor): string {
  return Buffer.from(JSON.stringify({ created_at: createdAt, id })).toString('base64url');
}

function parseCursor(text: string): Cursor {
  const parsed = cursor.safeParse(parseJson(Buffer.from(text, 'base64url').toString()));
  if (!parsed.success) throw refused('invalid cursor');
  return { createdAt: parsed.data.created_at, id: parsed.data.id };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What else a list is asked for. Nothing more of a query belongs into links: it may hold the API key. */
const KEPT_PARAMETERS = ['limit', 'filter', 'sort'];

/** Header `Link` (RFC 8288) to the next page, or none on the last one. */
export function cursorHeaders(target: string, next: string | undefined): Record<string, string> {
  if (next === undefined) return {};
  const [path, search = ''] = target.split('?', 2);
  const query = new URLSearchParams(search);
  const link = new URLSearchParams({ cursor: next });
  for (const name of KEPT_PARAMETERS) {
    const value = query.get(name);
    if (value !== null) link.set(name, value);
  }
  return { link: `<${path}?${link}>; rel="next"` };
}

function refused(reason: string) {
  return failure('validation_failed', { message: `Bad Pagination Parameters: ${reason}` });
}
