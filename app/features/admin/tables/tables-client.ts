/** Requests of the grid from the browser. */
import { withBase } from '../../../lib/page/base-path.ts';
import { readPage } from '../../../lib/page/page-context.tsx';
import { type ChangeRequest, type ChangeResult, ROWS } from './changes.ts';
import type { GridRow, RowPage } from './grid-rows.ts';
import { type Problem, SqlRefusal } from './sql-refusal.ts';
import { type Selection, selectionQuery } from './table-address.ts';

/** No response arrived. */
export const OFFLINE = 'offline';
/** The response is not from the section: the session has ended, or the access. */
export const NO_ACCESS = 'no-access';

type OfTable = Pick<Selection, 'schema'> & Partial<Selection>;

/** Returns a page of rows. Rejects with {@link SqlRefusal}, or the signal's reason. */
export function fetchPage(
  selection: OfTable,
  place: { after?: string | undefined; offset?: number },
  signal: AbortSignal,
): Promise<RowPage> {
  const query = selectionQuery({ ...selection, after: place.after });
  if (place.offset) query.set('offset', String(place.offset));
  return request<RowPage>(`${ROWS}?${query}`, { signal });
}

/** Returns a row; undefined if it does not exist. Rejects like {@link fetchPage}. */
export function fetchRow(selection: OfTable, key: readonly string[]): Promise<GridRow | undefined> {
  const query = selectionQuery({ ...selection, after: undefined });
  query.set('key', JSON.stringify(key));
  return orGone(request<GridRow>(`${ROWS}?${query}`));
}

/** Returns a whole value; undefined if its row does not exist. Rejects like {@link fetchPage}. */
export function fetchValue(
  selection: OfTable,
  key: readonly string[],
  column: string,
): Promise<{ xmin: string; value: string | null } | undefined> {
  const query = selectionQuery({ schema: selection.schema, table: selection.table });
  query.set('key', JSON.stringify(key));
  query.set('column', column);
  return orGone(request(`${ROWS}?${query}`));
}

/** Returns rows that a foreign key can reference. Rejects like {@link fetchPage}. */
export function fetchChoices(
  target: { schema: string; table: string; column: string },
  search: string,
  signal: AbortSignal,
): Promise<{ value: string; label: string }[]> {
  const query = selectionQuery({ schema: target.schema, table: target.table });
  query.set('lookup', search);
  query.set('column', target.column);
  return request(`${ROWS}?${query}`, { signal });
}

/** Changes rows. Failures are results, too. */
export async function sendChange(change: ChangeRequest, signal?: AbortSignal): Promise<ChangeResult> {
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(change),
    ...(signal && { signal }),
  };
  try {
    return await request<ChangeResult>(ROWS, init);
  } catch (error) {
    if (signal?.aborted || !(error instanceof SqlRefusal)) throw error;
    if (error.problem.code === GONE) return { kind: 'gone' };
    return { kind: 'problem', problem: error.problem };
  }
}

const GONE = 'gone';

async function orGone<T>(promise: Promise<T>): Promise<T | undefined> {
  return promise.catch((error: unknown) => {
    if (error instanceof SqlRefusal && error.problem.code === GONE) return undefined;
    throw error;
  });
}

async function request<T>(path: string, init: RequestInit = {}): Promise<T> {
  const response = await fetch(withBase(path, readPage().config.baseURL), init).catch((error: unknown) => {
    if (init.signal?.aborted) throw error;
    throw refusal(OFFLINE);
  });
  const body: unknown = await response.json().catch(() => undefined);
  if (response.ok && body !== undefined && !response.redirected) return body as T;
  if (response.status === 404) throw refusal(GONE);
  throw new SqlRefusal(problemIn(body) ?? { code: NO_ACCESS, message: '' });
}

function refusal(code: string): SqlRefusal {
  return new SqlRefusal({ code, message: '' });
}

function problemIn(body: unknown): Problem | undefined {
  const problem = (body as { problem?: Problem } | undefined)?.problem;
  if (problem) return problem;
  return (body as { reason?: string } | undefined)?.reason === 'invalid'
    ? { code: 'invalid', message: '' }
    : undefined;
}
