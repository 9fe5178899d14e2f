/** Reads the list of users: by SQL from the instance's own database, otherwise in pages by the official client. */

import type { Language } from '../../../lib/language.ts';
import { isBackendFailure } from '../../../session/backend-failure.ts';
import type { MetaClient } from '../../../session/meta-client.server.ts';
import { adminTexts } from '../../../texts/admin.ts';
import type { Admin } from '../shared/as-admin.server.ts';
import { formatPosition, isFiltered, type ListQuery, type Position, parsePosition } from './list-query.ts';
import {
  ESTIMATE_SQL,
  exactSql,
  type ListRow,
  pageSql,
  type ReadRow,
  type Sql,
  type Start,
  startOf,
} from './list-sql.ts';
import { toUserPage, toUserRow, USERS_PER_PAGE, type UserList } from './user-rows.ts';

/** Users that one statement reads to apply the filters: about 50 ms. */
const READ_AT_ONCE = 10_000;
/** After this time, the page shows the users that were found so far. A continued search may take longer. */
const READ_FOR_MS = { first: 150, later: 800 };

/** Returns one page, or the reason why it is missing. Never rejects. @param page of a hosted backend */
export async function listUsers(
  admin: Admin,
  query: ListQuery,
  { page, language }: { page: number; language: Language },
): Promise<UserList> {
  const texts = adminTexts[language];
  try {
    if (admin.meta) return await listBySql(admin.meta, query, admin.actor.actor_id);
    const client = await admin.service();
    if (!client) return { kind: 'problem', problem: texts.noServiceKey };
    const { data: found, error } = await client.auth.admin.listUsers({ page, perPage: USERS_PER_PAGE });
    if (!error) return { kind: 'numbered', ...toUserPage(found.users, page, found.total) };
    return { kind: 'problem', problem: isBackendFailure(error) ? texts.tryAgain : error.message };
  } catch {
    return { kind: 'problem', problem: texts.tryAgain };
  }
}

async function listBySql(meta: MetaClient, query: ListQuery, adminId: string): Promise<UserList> {
  const isReversed = query.before !== '';
  const from = parsePosition(isReversed ? query.before : query.after);
  const rowsOf = <Row>({ text, values }: Sql) => meta.rows<Row>(text, values);
  const exact = from === undefined && query.q !== '' ? exactSql(query, adminId) : undefined;
  const [first, estimate] = await Promise.all([
    exact ? rowsOf<ListRow>(exact) : [],
    meta.rows<{ total: number }>(ESTIMATE_SQL),
  ]);
  const total = Math.max(0, estimate[0]?.total ?? 0);
  if (first.length > 0) return exactMatches(first, query, total);
  const read = await readOn(query, { from, isReversed }, (start, budget, limit) =>
    rowsOf<ReadRow>(pageSql(query, adminId, start, { budget, limit })),
  );
  const found = isReversed ? read.found.toReversed() : read.found;
  const last = found.at(-1);
  const hasPrevious = isReversed ? read.hasMore : from !== undefined;
  const hasNext = isReversed || read.hasMore;
  return {
    kind: 'keyset',
    rows: found.map(toUserRow),
    previous: hasPrevious && found[0] ? formatPosition(found[0]) : '',
    next: hasNext && last ? formatPosition(last) : '',
    continued: read.stoppedAt ? formatPosition(read.stoppedAt) : '',
    isReversed,
    estimate: total,
  };
}

/** Users who only contain the text are searched when the administrator continues. */
function exactMatches(rows: readonly ListRow[], query: ListQuery, estimate: number): UserList {
  const continued = formatPosition(startOf(query));
  return {
    kind: 'keyset',
    rows: rows.map(toUserRow),
    previous: '',
    next: '',
    continued,
    isReversed: false,
    estimate,
  };
}

/** The users that were found. `stoppedAt` is set if the time ended before the page was full or the list at its end. */
interface Read {
  found: ListRow[];
  hasMore: boolean;
  stoppedAt: Position | undefined;
}

/** Reads until the page is full, the list ends, or the time is over. */
async function readOn(
  query: ListQuery,
  start: Start,
  read: (start: Start, budget: number, limit: number) => Promise<ReadRow[]>,
): Promise<Read> {
  const began = performance.now();
  const time = start.from === undefined ? READ_FOR_MS.first : READ_FOR_MS.later;
  const found: ListRow[] = [];
  const limit = USERS_PER_PAGE + 1;
  const budget = isFiltered(query) ? READ_AT_ONCE : limit;
  for (let { from } = start; ; ) {
    const rows = await read({ ...start, from }, budget, limit - found.length);
    found.push(...rows.flatMap((row) => row.found ?? []));
    const [end] = rows;
    if (found.length === limit) return { found: found.slice(0, -1), hasMore: true, stoppedAt: undefined };
    if (end === undefined || end.read_count < budget) return { found, hasMore: false, stoppedAt: undefined };
    from = { key: end.end_key, id: end.end_id };
    if (performance.now() - began > time) return { found, hasMore: false, stoppedAt: from };
  }
}
