/** GET /admin/users: lists the users of an audience in pages. */
import type { Statement } from '@greenroom/postgres';
import type { AuthContext } from '../context.ts';
import type { AuthRequest, AuthResponse } from '../contracts/request.ts';
import { failure } from '../errors.ts';
import { requireAdmin } from '../session/caller.ts';
import { audienceOf } from '../user/audience.ts';
import { NIL_UUID } from '../user/find.ts';
import { plainUserColumns, toListedUser, type UserRow } from '../user/user.ts';
import { type CursorPage, cursorHeaders, formatCursor, readCursorPage } from './cursor.ts';
import { offsetOf, type Page, pageHeaders, readPage } from './pagination.ts';

/** Email addresses are at most this long. The limit also bounds the `Link` header, which repeats the filter. */
const MAX_FILTER_LENGTH = 255;

/**
 * The selection and order of a list. `filter` matches part of an email address or full name; '' matches all
 * users.
 */
interface Listing {
  audience: string;
  filter: string;
  order: 'asc' | 'desc';
}

/** Returns one page of users, without identities and factors. */
export async function listUsers(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  const claims = await requireAdmin(context, request);
  const { query } = request;
  const listing: Listing = {
    audience: audienceOf(request, context.config, claims),
    order: readOrder(query),
    filter: readFilter(query),
  };
  const isByNumber = Boolean(query.get('page') || query.get('per_page'));
  const isByCursor = context.config.cursorPagination && !isByNumber;
  return isByCursor ? listByCursor(context, request, listing) : listByPage(context, request, listing);
}

async function listByPage(
  { database }: AuthContext,
  { query, target }: AuthRequest,
  listing: Listing,
): Promise<AuthResponse> {
  const page = readPage(query);
  const [counted] = await database.query<{ total: string }>(countUsers(listing));
  const total = Number(counted?.total ?? 0);
  const users =
    offsetOf(page) < total ? await database.query<UserRow>(selectUsers(listing, page, total)) : [];
  return {
    status: 200,
    headers: pageHeaders(target, page, total),
    body: { users: users.map(toListedUser), aud: listing.audience },
  };
}

/** Selects one row more than the limit to determine whether another page follows. */
async function listByCursor(
  { database }: AuthContext,
  { query, target }: AuthRequest,
  listing: Listing,
): Promise<AuthResponse> {
  const page = readCursorPage(query);
  const rows = await database.query<UserRow & { created_us: string }>(selectUsersAfter(listing, page));
  const users = rows.slice(0, page.limit);
  const last = rows.length > page.limit ? users.at(-1) : undefined;
  const next = last && formatCursor({ createdAt: Number(last.created_us), id: last.id });
  return {
    status: 200,
    headers: cursorHeaders(target, next),
    body: {
      users: users.map(toListedUser),
      aud: listing.audience,
      pagination: { next_cursor: next, has_more: next !== undefined },
    },
  };
}

/**
 * The only supported sort field is `created_at`, descending by default. If several orders are given, the first
 * applies.
 */
function readOrder(query: URLSearchParams): Listing['order'] {
  const orders = query.getAll('sort').map(parseOrder);
  return orders[0] ?? 'desc';
}

function parseOrder(text: string): Listing['order'] {
  const [field = '', ...rest] = text.split(' ');
  if (field !== 'created_at') throw badSort(`bad field for sort ${JSON.stringify(field)}`);
  const direction = rest.join(' ').toLowerCase();
  if (direction === '' || direction === 'desc') return 'desc';
  if (direction === 'asc') return 'asc';
  throw badSort(`bad direction for sort ${JSON.stringify(direction)}, only 'asc' and 'desc' allowed`);
}

function badSort(reason: string) {
  return failure('validation_failed', { message: `Bad Sort Parameters: ${reason}` });
}

function readFilter(query: URLSearchParams): string {
  const filter = query.get('filter') ?? '';
  if (filter.includes('\0')) throw failure('validation_failed', { message: 'filter must not contain NUL' });
  if (filter.length <= MAX_FILTER_LENGTH) return filter;
  const message = `filter must not be longer than ${MAX_FILTER_LENGTH} characters`;
  throw failure('validation_failed', { message });
}

/** `%` and `_` in a filter are wildcards, as in GoTrue; a backslash is literal. */
const MATCHING = `u.instance_id = '${NIL_UUID}' and u.aud = $1
  and ($2 = '' or u.email like $3 escape '' or u.raw_user_meta_data ->> 'full_name' ilike $3 escape '')`;

function parametersOf({ audience, filter }: Listing): string[] {
  return [audience, filter, `%${filter}%`];
}

// Statements of lists have no names, so that PostgreSQL plans them for their values, e.g. for an empty filter.

/** Without a filter, PostgreSQL counts the entries of `users_count_idx` and does not read the rows. */
function countUsers(listing: Listing): Statement {
  return {
    text: `select count(*) as total from auth.users u where ${MATCHING}`,
    values: parametersOf(listing),
  };
}

/**
 * Finds the ids of the page before it reads the rows: without a filter, it skips the users before the page in
 * `users_list_idx`, from the end of the list that is closer to the page.
 * @param total number of users in the list, more than the offset of the page
 */
function selectUsers(listing: Listing, page: Page, total: number): Statement {
  const { order } = listing;
  const offset = offsetOf(page);
  const limit = Math.min(page.perPage, total - offset);
  const following = total - offset - limit;
  const [seekOrder, skipped] = following < offset ? [reversed(order), following] : [order, offset];
  return {
    text: `select ${plainUserColumns} from auth.users u
      where u.id = any (array(
        select u.id from auth.users u where ${MATCHING}
        order by u.created_at ${seekOrder}, u.id ${seekOrder} limit $4 offset $5
      ))
      order by u.created_at ${order}, u.id ${order}`,
    values: [...parametersOf(listing), limit, skipped],
  };
}

function reversed(order: Listing['order']): Listing['order'] {
  return order === 'asc' ? 'desc' : 'asc';
}

/** Comparing rows instead of single columns lets PostgreSQL seek to the position in its index. */
const AFTER = (order: Listing['order']) => `(u.created_at, u.id) ${order === 'asc' ? '>' : '<'}
  ('epoch'::timestamptz + $5::bigint * interval '1 microsecond', $6::uuid)`;

function selectUsersAfter(listing: Listing, { limit, after }: CursorPage): Statement {
  const { order } = listing;
  return {
    text: `select ${plainUserColumns}, (extract(epoch from u.created_at) * 1000000)::bigint as created_us
      from auth.users u
      where ${MATCHING} and u.created_at is not null ${after === undefined ? '' : `and ${AFTER(order)}`}
      order by u.created_at ${order}, u.id ${order} limit $4`,
    values: [
      ...parametersOf(listing),
      limit + 1,
      ...(after === undefined ? [] : [after.createdAt, after.id]),
    ],
  };
}
