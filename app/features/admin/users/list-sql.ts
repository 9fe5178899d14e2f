/**
 * The SQL of the list of users. Pages continue after a row (keyset), and a filter reads a limited number of users at a time, so
 * that the first answer is fast for any filter and any number of users.
 */
import { likeText } from '../shared/like-text.ts';
import { isUuid, type ListQuery, type Position } from './list-query.ts';

/** A statement with its parameters. */
export interface Sql {
  text: string;
  values: (string | null)[];
}

/** The fields of a user that the list shows, as JSON. Times are seconds since 1970. */
export interface ListRow {
  id: string;
  /** The value of the order. */
  key: string;
  email: string | null;
  phone: string | null;
  name: string | null;
  role: string | null;
  providers: string[] | null;
  is_confirmed: boolean;
  is_banned: boolean;
  is_anonymous: boolean;
  is_deleted: boolean;
  has_factor: boolean;
  created_at: number;
  last_sign_in_at: number | null;
}

/** Adds a value to the parameters, and returns its placeholder. */
type Add = (value: string | null) => string;

interface Order {
  /** Expression of the index. */
  key: string;
  type: 'timestamptz' | 'text';
  direction: 'asc' | 'desc';
}

const BY_CREATION = { key: 'u.created_at', type: 'timestamptz' } as const;
/** As in the migration `0010_users_by_email.sql` of the auth service. */
export const BY_EMAIL = { key: `(coalesce(u.email, '')) collate "C"`, type: 'text' } as const;

const ORDERS: Record<ListQuery['sort'], Order> = {
  '': { ...BY_CREATION, direction: 'desc' },
  oldest: { ...BY_CREATION, direction: 'asc' },
  email: { ...BY_EMAIL, direction: 'asc' },
  'email-desc': { ...BY_EMAIL, direction: 'desc' },
};

const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const STARTS: Record<ListQuery['sort'], Position> = {
  '': { key: 'infinity', id: LAST_ID },
  oldest: { key: '-infinity', id: FIRST_ID },
  email: { key: '', id: FIRST_ID },
  'email-desc': { key: '\u{10ffff}', id: LAST_ID },
};

/** Returns the position before the first user. */
export function startOf({ sort }: Pick<ListQuery, 'sort'>): Position {
  return STARTS[sort];
}

/** Where the list continues, and in which direction. */
export interface Start {
  from: Position | undefined;
  /** Reads towards the beginning of the list, for the previous page. */
  isReversed: boolean;
}

/** A row of {@link pageSql}: the end of the users that were read, and one that passed the filters, if any did. */
export interface ReadRow {
  read_count: number;
  end_key: string;
  end_id: string;
  found: ListRow | null;
}

/**
 * Returns the SQL that reads the next `budget` users, and returns up to `limit` that pass the filters. The ids are read in the
 * order of an index, without other choices for PostgreSQL: estimates of filters are wrong too often. No row is returned at the
 * end of the list.
 */
export function pageSql(
  query: ListQuery,
  adminId: string,
  start: Start,
  { budget, limit }: { budget: number; limit: number },
): Sql {
  const { values, add } = parameters();
  const order = orderOf(query, start);
  const { direction } = order;
  const conditions = [...ownUsers(add(adminId)), ...beyond(start.from, order, add)];
  const selection = ['u.id = r.id', ...filters(query, add)];
  const text = `with read as materialized (
    select u.id, ${order.key} as key from auth.users u where ${conditions.join(' and ')}
    order by ${order.key} ${direction}, u.id ${direction} limit ${budget}
  ), page as materialized (
    select r.key, r.id, f.found from read r cross join lateral (
      select to_json(f) as found from (
        select ${rowOf(order)} from auth.users u where ${selection.join(' and ')} offset 0
      ) f
    ) f order by r.key ${direction}, r.id ${direction} limit ${limit}
  )
  select e.read_count, e.key::text as end_key, e.id as end_id, p.found
  from (
    select r.key, r.id, (select count(*) from read)::float8 as read_count
    from read r order by r.key ${reversed(direction)}, r.id ${reversed(direction)} limit 1
  ) e left join page p on true order by p.key ${direction}, p.id ${direction}`;
  return { text, values };
}

/** Returns the SQL of the users whose id, email address or phone number is the searched text. Each has an index. */
export function exactSql(query: ListQuery, adminId: string): Sql | undefined {
  const { values, add } = parameters();
  const admin = add(adminId);
  const digits = digitsOf(query.q);
  const matches = [
    ...(isUuid(query.q) ? [`u.id = ${add(query.q)}::uuid`] : []),
    ...(query.q.includes('@') ? [`coalesce(u.email, '') collate "C" = ${add(query.q.toLowerCase())}`] : []),
    ...(digits === undefined ? [] : [`u.phone = ${add(digits)}`]),
  ];
  if (matches.length === 0) return undefined;
  const conditions = [...ownUsers(admin), ...filters({ ...query, q: '' }, add)];
  const selects = matches.map(
    (match) =>
      `select ${rowOf(ORDERS[query.sort])} from auth.users u where ${[...conditions, match].join(' and ')}`,
  );
  return { text: selects.join('\nunion\n'), values };
}

/** Returns the SQL of all users that pass the filters, for a file. */
export function exportSql(query: ListQuery, adminId: string): Sql {
  const { values, add } = parameters();
  const order = ORDERS[query.sort];
  const conditions = [...ownUsers(add(adminId)), ...filters(query, add)];
  const text = `select u.id, u.email, u.phone, u.raw_app_meta_data ->> 'role' as role,
    array_to_string(array(select jsonb_array_elements_text(case jsonb_typeof(u.raw_app_meta_data -> 'providers')
      when 'array' then u.raw_app_meta_data -> 'providers' end)), ' ') as providers,
    u.email_confirmed_at, u.phone_confirmed_at, u.banned_until, u.is_anonymous, u.deleted_at, u.created_at,
    u.last_sign_in_at, u.raw_user_meta_data as user_metadata, u.raw_app_meta_data as app_metadata
  from auth.users u where ${conditions.join(' and ')}
  order by ${order.key} ${order.direction}, u.id ${order.direction}`;
  return { text, values };
}

/** PostgreSQL's estimate, since counting a million rows takes too long. -1 before the first vacuum. */
export const ESTIMATE_SQL = `select reltuples::float8 as total from pg_class where oid = 'auth.users'::regclass`;

/** Returns an empty list of parameters, and the function that adds one. */
export function parameters(): { values: (string | null)[]; add: Add } {
  const values: (string | null)[] = [];
  return { values, add: (value) => `$${values.push(value)}` };
}

function orderOf({ sort }: ListQuery, { isReversed }: Start): Order {
  const order = ORDERS[sort];
  if (!isReversed) return order;
  return { ...order, direction: reversed(order.direction) };
}

/**
 * Returns the conditions of the users that the auth service lists, too: those of the administrator's audience.
 * @param admin SQL parameter with the administrator's id, such as `$1`
 */
export function ownUsers(admin: string): string[] {
  return [
    `u.instance_id = '00000000-0000-0000-0000-000000000000'`,
    `u.aud = (select a.aud from auth.users a where a.id = ${admin}::uuid)`,
    'u.created_at is not null',
  ];
}

/** Compares rows instead of columns, so that PostgreSQL seeks to the position in the index. */
function beyond(from: Position | undefined, { key, type, direction }: Order, add: Add): string[] {
  if (from === undefined) return [];
  const operator = direction === 'asc' ? '>' : '<';
  return [`(${key}, u.id) ${operator} (${add(from.key)}::${type}, ${add(from.id)}::uuid)`];
}

function reversed(direction: Order['direction']): Order['direction'] {
  return direction === 'asc' ? 'desc' : 'asc';
}

const STATE_CONDITIONS: Record<Exclude<ListQuery['state'], ''>, string> = {
  confirmed: 'u.confirmed_at is not null',
  unconfirmed: 'u.confirmed_at is null',
  banned: 'u.banned_until > now()',
  anonymous: 'u.is_anonymous',
  deleted: 'u.deleted_at is not null',
};

const HAS_FACTOR = `exists (select from auth.mfa_factors f where f.user_id = u.id and f.status = 'verified')`;

function filters({ q, role, state, provider, factor, since }: ListQuery, add: Add): string[] {
  return [
    ...(q === '' ? [] : [matching(q, add)]),
    ...(role === '' ? [] : [`u.raw_app_meta_data ->> 'role' = ${add(role)}`]),
    ...(state === '' ? [] : [STATE_CONDITIONS[state]]),
    ...(provider === '' ? [] : [`u.raw_app_meta_data -> 'providers' ? ${add(provider)}`]),
    ...(factor === '' ? [] : [factor === 'yes' ? HAS_FACTOR : `not ${HAS_FACTOR}`]),
    ...(since === '' ? [] : [`u.last_sign_in_at >= ${add(`${since}T00:00:00Z`)}::timestamptz`]),
  ];
}

/**
 * Addresses are stored in lower case. The collation of the metadata makes the comparison several times faster; it ignores the
 * case of ASCII letters only.
 */
function matching(q: string, add: Add): string {
  const pattern = (text: string) => add(`%${likeText(text)}%`);
  const digits = digitsOf(q);
  return `(${[
    `u.email like ${pattern(q.toLowerCase())}`,
    ...(digits === undefined ? [] : [`u.phone like ${pattern(digits)}`]),
    `u.raw_user_meta_data::text collate "C" ilike ${pattern(q)}`,
  ].join(' or ')})`;
}

/** Returns the digits of a phone number or a part of one; undefined for other texts. */
export function digitsOf(q: string): string | undefined {
  const digits = q.replace(/^\+|[\s()-]/g, '');
  return /^\d{3,15}$/.test(digits) ? digits : undefined;
}

function rowOf({ key }: Order): string {
  return `u.id, (${key})::text as key, u.email, u.phone, u.raw_user_meta_data ->> 'full_name' as name,
    u.raw_app_meta_data ->> 'role' as role, u.raw_app_meta_data -> 'providers' as providers,
    u.confirmed_at is not null as is_confirmed, coalesce(u.banned_until > now(), false) as is_banned,
    u.is_anonymous, u.deleted_at is not null as is_deleted, ${HAS_FACTOR} as has_factor,
    extract(epoch from u.created_at)::float8 as created_at,
    extract(epoch from u.last_sign_in_at)::float8 as last_sign_in_at`;
}
