/** The selection of the list of users in the URL: search, filters, order and position. */

/** Path of the list. */
export const USERS = '/admin/users';

/** Orders of the list. '' is the default: the newest first. */
export const SORTS = ['', 'oldest', 'email', 'email-desc'] as const;
type Sort = (typeof SORTS)[number];

/** States by which the list can be filtered. */
export const STATES = ['confirmed', 'unconfirmed', 'banned', 'anonymous', 'deleted'] as const;
type State = (typeof STATES)[number];

/** The selection; '' means any. */
export interface ListQuery {
  /** Part of the email address, phone number or metadata; or an id. */
  q: string;
  role: string;
  state: State | '';
  /** Name of a provider, such as `email` or `google`. */
  provider: string;
  factor: 'yes' | 'no' | '';
  /** Date (YYYY-MM-DD, UTC) since which the user has signed in. */
  since: string;
  sort: Sort;
  /** The list starts after this position, or ends before it. See {@link formatPosition}. */
  after: string;
  before: string;
}

/** The last row of a page: the value of the order, and the id. */
export interface Position {
  key: string;
  id: string;
}

const NONE: ListQuery = {
  q: '',
  role: '',
  state: '',
  provider: '',
  factor: '',
  since: '',
  sort: '',
  after: '',
  before: '',
};

const MAX_TEXT_LENGTH = 255;
const DATE = /^\d{4}-\d\d-\d\d$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const SEPARATOR = '~';

/** Returns whether a text is a UUID. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** Parses a URL. Invalid values are ignored. */
export function readListQuery(search: URLSearchParams): ListQuery {
  const text = (name: keyof ListQuery) =>
    (search.get(name) ?? '').replaceAll('\0', '').trim().slice(0, MAX_TEXT_LENGTH);
  const oneOf = <T extends string>(values: readonly T[], name: keyof ListQuery) =>
    values.find((value) => value === search.get(name)) ?? '';
  const since = text('since');
  return {
    q: text('q'),
    role: text('role'),
    state: oneOf(STATES, 'state'),
    provider: text('provider'),
    factor: oneOf(['yes', 'no'], 'factor'),
    since: DATE.test(since) && !Number.isNaN(Date.parse(since)) ? since : '',
    sort: oneOf(SORTS, 'sort') as Sort,
    after: positionText(search.get('after')),
    before: positionText(search.get('before')),
  };
}

function positionText(text: string | null): string {
  return text !== null && parsePosition(text) ? text : '';
}

/** Returns the URL of a selection, followed by `more`. */
export function listPath(query: Partial<ListQuery>, more: Record<string, string> = {}): string {
  const search = new URLSearchParams([
    ...Object.entries({ ...NONE, ...query }).filter(([, value]) => value !== ''),
    ...Object.entries(more),
  ]);
  return search.size === 0 ? USERS : `${USERS}?${search}`;
}

/** Returns the URL of a user. */
export function userPath(id: string): string {
  return `${USERS}?user=${encodeURIComponent(id)}`;
}

/** Returns the search and filters without the position. */
export function withoutPosition(query: ListQuery): ListQuery {
  return { ...query, after: '', before: '' };
}

/** Returns whether the list is searched or filtered. */
export function isFiltered({ q, role, state, provider, factor, since }: ListQuery): boolean {
  return [q, role, state, provider, factor, since].some((value) => value !== '');
}

/** Writes a position for a URL. */
export function formatPosition({ key, id }: Position): string {
  return `${id}${SEPARATOR}${key}`;
}

/** Parses a position; undefined if it is invalid. */
export function parsePosition(text: string): Position | undefined {
  const separator = text.indexOf(SEPARATOR);
  const id = text.slice(0, Math.max(0, separator));
  const key = text.slice(separator + 1);
  if (!isUuid(id) || key.length > MAX_TEXT_LENGTH || key.includes('\0')) return undefined;
  return { key, id };
}
