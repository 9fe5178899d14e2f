/**
 * The SQL that finds users by the beginning of an address, a phone number, an id or a name, while an administrator types. The first
 * three have an index each. Names have none, since it would make each sign-up slower: the names of the newest users are read.
 */
import { likeText } from '../shared/like-text.ts';
import { BY_EMAIL, digitsOf, ownUsers, parameters, type Sql } from './list-sql.ts';

/** A user that was found. */
export interface FoundRow {
  id: string;
  email: string | null;
  phone: string | null;
  name: string | null;
}

/** The newest users whose names are read: about 30 ms. */
export const NAMED_USERS = 10_000;

const FIELDS = `u.id, u.email, u.phone, u.raw_user_meta_data ->> 'full_name' as name`;
/** The last character of Unicode: follows all texts with the same beginning. */
const LAST_CHARACTER = '\u{10ffff}';
/** More digits than a phone number has. */
const PHONE_DIGITS = 16;
const UUID_DIGITS = 32;
/** Fewer digits would match many ids by chance: `ada` is the beginning of an id, too. */
const MIN_ID_DIGITS = 6;

/** Returns the SQL of up to `limit` users for each index. A user may occur several times. */
export function startSql(q: string, adminId: string, limit: number): Sql {
  const { values, add } = parameters();
  const conditions = ownUsers(add(adminId)).join(' and ');
  const selects = rangesOf(q).map(
    ({ key, type, first, last }) =>
      `(select ${FIELDS} from auth.users u where ${conditions}
        and ${key} between ${add(first)}::${type} and ${add(last)}::${type} order by ${key} limit ${limit})`,
  );
  return { text: selects.join('\nunion all\n'), values };
}

/**
 * Returns the SQL of up to `limit` of the newest users who have a name with a word that begins with the text. The collation is that of
 * the search in the list: it ignores the case of ASCII letters only.
 */
export function nameSql(q: string, adminId: string, limit: number): Sql {
  const { values, add } = parameters();
  const conditions = ownUsers(add(adminId)).join(' and ');
  const [first, later] = [add(`${likeText(q)}%`), add(`% ${likeText(q)}%`)];
  const text = `select r.id, r.email, r.phone, r.name from (
    select ${FIELDS} from auth.users u where ${conditions}
    order by u.created_at desc limit ${NAMED_USERS}
  ) r where r.name collate "C" ilike ${first} or r.name collate "C" ilike ${later} limit ${limit}`;
  return { text, values };
}

/** A range of an index. */
interface IndexRange {
  key: string;
  type: 'text' | 'uuid';
  first: string;
  last: string;
}

/** Returns the ranges of all values that begin with a text. */
function rangesOf(q: string): IndexRange[] {
  const address = q.toLowerCase();
  const phone = digitsOf(q);
  const id = idDigitsOf(q);
  return [
    { key: BY_EMAIL.key, type: 'text', first: address, last: address + LAST_CHARACTER },
    ...(phone === undefined
      ? []
      : [{ key: 'u.phone', type: 'text' as const, first: phone, last: phone.padEnd(PHONE_DIGITS, '9') }]),
    ...(id === undefined
      ? []
      : [
          {
            key: 'u.id',
            type: 'uuid' as const,
            first: id.padEnd(UUID_DIGITS, '0'),
            last: id.padEnd(UUID_DIGITS, 'f'),
          },
        ]),
  ];
}

/** Returns the digits of the beginning of an id; undefined for other texts. */
function idDigitsOf(q: string): string | undefined {
  if (!/^[0-9a-f]{1,8}(?:$|-[0-9a-f-]*$)/i.test(q)) return undefined;
  const digits = q.replaceAll('-', '').toLowerCase();
  return digits.length >= MIN_ID_DIGITS && digits.length <= UUID_DIGITS ? digits : undefined;
}
