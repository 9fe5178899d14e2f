/** The selection of the log in the URL: the tab, and the filter of each. */

/** Path of the log. */
export const LOGS = '/admin/logs';

/** Services by the names of the log. */
export const SERVICES = [
  'auth',
  'rest',
  'realtime',
  'storage',
  'functions',
  'meta',
  'operator',
  'app',
  'postgres',
  'greenroom',
] as const;

/** Minimum levels. */
export const LEVELS = ['debug', 'info', 'warn', 'error', 'fatal'] as const;

/** Ranges that end now, in minutes. */
export const RANGES = { '15m': 15, '1h': 60, '24h': 24 * 60, '7d': 7 * 24 * 60 } as const;

/** The filter of lines. '' means any. */
export interface LineSelection {
  /** A range that ends now; the times below take precedence. */
  range: keyof typeof RANGES | '';
  /** Times in UTC, such as `2026-01-01T12:00`. */
  from: string;
  to: string;
  service: (typeof SERVICES)[number] | '';
  level: (typeof LEVELS)[number] | '';
  /** `404`, or `5xx` for a class. */
  status: string;
  user: string;
  request: string;
  q: string;
  /** Where a page of older lines begins; without scripts. */
  before: string;
  /** `1`: new lines are shown when they are written. */
  live: '1' | '';
}

/** The filter of changes. '' means any. */
export interface ChangeSelection {
  actor: string;
  action: string;
  target: string;
  /** Shows entries before this id. */
  before: string;
}

const MAX_LENGTH = 500;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?$/;
const STATUS = /^[1-5](?:xx|\d\d)$/;
const POSITION = /^\d{1,10}-\d{1,12}$/;
const ENTRY_ID = /^\d{1,18}$/;
const USER_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const NO_LINES: LineSelection = {
  range: '',
  from: '',
  to: '',
  service: '',
  level: '',
  status: '',
  user: '',
  request: '',
  q: '',
  before: '',
  live: '',
};

const NO_CHANGES: ChangeSelection = { actor: '', action: '', target: '', before: '' };

/** Returns whether a URL selects the changes. */
export function selectsChanges(search: URLSearchParams): boolean {
  return search.get('tab') === 'changes';
}

/** Parses the filter of lines. Values that are not valid are ignored. */
export function readLineSelection(search: URLSearchParams): LineSelection {
  const range = search.get('range') ?? '';
  return {
    range: Object.hasOwn(RANGES, range) ? (range as LineSelection['range']) : '',
    from: matching(TIME, search.get('from')),
    to: matching(TIME, search.get('to')),
    service: SERVICES.find((name) => name === search.get('service')) ?? '',
    level: LEVELS.find((name) => name === search.get('level')) ?? '',
    status: matching(STATUS, search.get('status')?.toLowerCase()),
    user: textOf(search, 'user'),
    request: textOf(search, 'request'),
    q: textOf(search, 'q'),
    before: matching(POSITION, search.get('before')),
    live: search.get('live') === '1' ? '1' : '',
  };
}

/** Parses the filter of changes. Values that are not valid are ignored. */
export function readChangeSelection(search: URLSearchParams): ChangeSelection {
  return {
    actor: matching(USER_ID, search.get('actor')),
    action: textOf(search, 'action'),
    target: textOf(search, 'target'),
    before: matching(ENTRY_ID, search.get('before')),
  };
}

/** Returns the URL of lines, without default values. */
export function linesPath(selection: Partial<LineSelection> = {}): string {
  return pathOf([], selection, NO_LINES);
}

/** Returns the URL of changes, without default values. */
export function changesPath(selection: Partial<ChangeSelection> = {}): string {
  return pathOf([['tab', 'changes']], selection, NO_CHANGES);
}

/** Returns the query of the backend for a filter of lines. @param now in ms since 1970 */
export function lineQuery(selection: LineSelection, now: number): Record<string, string> {
  const { range, from, to, service, level, status, user, request, q, before } = selection;
  const start = range === '' ? '' : new Date(now - RANGES[range] * 60_000).toISOString();
  const values = {
    from: from === '' ? start : utc(from),
    to: to === '' ? '' : utc(to),
    service,
    level,
    status,
    user,
    request,
    text: q,
    before,
  };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
}

/** Returns whether a filter excludes any line. */
export function isFiltered(selection: LineSelection): boolean {
  const { before: _, live: __, ...filter } = selection;
  return Object.values(filter).some((value) => value !== '');
}

/** A time that does not exist, such as a 31st of February, is no time. */
function utc(time: string): string {
  const date = new Date(`${time}Z`);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}

function matching(pattern: RegExp, text: string | null | undefined): string {
  return pattern.test(text ?? '') ? (text ?? '') : '';
}

function textOf(search: URLSearchParams, name: string): string {
  return (search.get(name) ?? '').replaceAll('\0', '').trim().slice(0, MAX_LENGTH);
}

function pathOf(
  first: [string, string][],
  selection: Partial<Record<string, string>>,
  defaults: object,
): string {
  const chosen = Object.entries(selection).flatMap(([name, value]) =>
    value === undefined || value === defaults[name as keyof typeof defaults] ? [] : [[name, value]],
  );
  const search = new URLSearchParams([...first, ...chosen]);
  return search.size === 0 ? LOGS : `${LOGS}?${search}`;
}
