/** Converts users of the database or of the official client for the list of the admin area. */
import { formatNumber } from '../../../lib/format/number.ts';
import type { Language } from '../../../lib/language.ts';
import { displayPhone } from '../../../session/person-name.ts';
import { adminTexts } from '../../../texts/admin.ts';
import type { ListRow } from './list-sql.ts';

export const USERS_PER_PAGE = 50;

/** The fields of the backend's users that are shown. */
export interface ListedUser {
  id: string;
  email?: string | undefined;
  phone?: string | undefined;
  app_metadata?: Record<string, unknown> | undefined;
  /** RFC 3339, like all times. */
  created_at: string;
  last_sign_in_at?: string | undefined;
  confirmed_at?: string | undefined;
  email_confirmed_at?: string | undefined;
  phone_confirmed_at?: string | undefined;
  banned_until?: string | undefined;
  is_anonymous?: boolean | undefined;
}

/** One row. Times are seconds since 1970; null means never. */
export interface UserRow {
  id: string;
  email: string;
  phone: string;
  name: string;
  role: string;
  providers: string[];
  isConfirmed: boolean;
  isBanned: boolean;
  isAnonymous: boolean;
  isDeleted: boolean;
  hasFactor: boolean;
  createdAt: number;
  lastSignInAt: number | null;
}

/** One page of the list. */
interface UserPage {
  rows: UserRow[];
  page: number;
  lastPage: number;
  total: number;
}

/**
 * The list: a page between two positions, a page by number of a hosted backend, or the reason why it is missing. Positions are ''
 * if there is no such page.
 */
export type UserList =
  | {
      kind: 'keyset';
      rows: UserRow[];
      previous: string;
      next: string;
      /** Where the search continues, if it has not read all users yet. */
      continued: string;
      isReversed: boolean;
      /** Approximate number of all users; 0 if it is unknown. */
      estimate: number;
    }
  | ({ kind: 'numbered' } & UserPage)
  | { kind: 'problem'; problem: string };

/**
 * Converts a list. `total` is 0 if the backend did not report it; then it is derived from the page itself.
 */
export function toUserPage(users: readonly ListedUser[], page: number, total: number): UserPage {
  const seen = (page - 1) * USERS_PER_PAGE + users.length;
  const all = Math.max(total, users.length > 0 ? seen : 0);
  return { rows: users.map(toRow), page, lastPage: Math.max(1, Math.ceil(all / USERS_PER_PAGE)), total: all };
}

/** Returns the range of a page, e.g. `51–100 of 1,312`. */
export function rangeText({ rows, page, total }: UserPage, language: Language): string {
  const texts = adminTexts[language];
  const write = (number: number) => formatNumber(number, language);
  if (rows.length === 0) return texts.emptyRange(write(total));
  const first = (page - 1) * USERS_PER_PAGE + 1;
  return texts.range(write(first), write(first + rows.length - 1), write(total));
}

/** Converts a row of the database. */
export function toUserRow(row: ListRow): UserRow {
  return {
    id: row.id,
    email: row.email ?? '',
    phone: row.phone ? displayPhone(row.phone) : '',
    name: row.name ?? '',
    role: row.role ?? '',
    providers: Array.isArray(row.providers) ? row.providers.map(String) : [],
    isConfirmed: row.is_confirmed,
    isBanned: row.is_banned,
    isAnonymous: row.is_anonymous,
    isDeleted: row.is_deleted,
    hasFactor: row.has_factor,
    createdAt: Math.floor(row.created_at),
    lastSignInAt: row.last_sign_in_at === null ? null : Math.floor(row.last_sign_in_at),
  };
}

function toRow(user: ListedUser): UserRow {
  const { role, providers } = user.app_metadata ?? {};
  return {
    id: user.id,
    email: user.email ?? '',
    phone: user.phone ? displayPhone(user.phone) : '',
    name: '',
    role: typeof role === 'string' ? role : '',
    providers: Array.isArray(providers) ? providers.map(String) : [],
    isConfirmed: Boolean(user.confirmed_at ?? user.email_confirmed_at ?? user.phone_confirmed_at),
    isBanned: Boolean(user.banned_until && Date.parse(user.banned_until) > Date.now()),
    isAnonymous: user.is_anonymous === true,
    isDeleted: false,
    hasFactor: false,
    createdAt: toSeconds(user.created_at) ?? 0,
    lastSignInAt: toSeconds(user.last_sign_in_at),
  };
}

function toSeconds(time: string | undefined): number | null {
  const milliseconds = time ? Date.parse(time) : Number.NaN;
  return Number.isNaN(milliseconds) ? null : Math.floor(milliseconds / 1000);
}
