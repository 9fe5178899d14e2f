/**
 * Converts the text of a value to JSON. Pure. Common types are converted exactly as `to_jsonb` does, which a test
 * verifies. All other types are left to PostgreSQL.
 */

const BOOL = 16;
const BYTEA = 17;
const INTEGERS = [20, 21, 23];
const FLOATS = [700, 701];
const NUMERIC = 1700;
/** The types name, text, bpchar, varchar and uuid. */
const TEXTS = [19, 25, 1042, 1043, 2950];
const JSONB = 3802;
const DATE = 1082;
const TIMESTAMP = 1114;
const TIMESTAMPTZ = 1184;

const PLAIN_NUMBER = /^-?\d+(\.\d+)?$/;
const PLAIN_DATE = /^\d{4}-\d\d-\d\d$/;
const PLAIN_TIMESTAMP = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)(\+00)?$/;

/**
 * Returns the JSON of a value; undefined if only PostgreSQL can convert it.
 * @example jsonOf(1184, '2026-11-20 21:38:02+00') // '"2026-11-20T21:38:02+00:00"'
 */
export function jsonOf(typeOid: number, text: string): string | undefined {
  if (TEXTS.includes(typeOid)) return JSON.stringify(text);
  if (INTEGERS.includes(typeOid)) return text;
  switch (typeOid) {
    case BOOL:
      return text === 't' ? 'true' : 'false';
    case JSONB:
      return text;
    // Without the prefix `\x`, as the plugin of the hosted service writes it.
    case BYTEA:
      return `"${text.slice(2)}"`;
    case DATE:
      return PLAIN_DATE.test(text) ? `"${text}"` : undefined;
    case NUMERIC:
      return PLAIN_NUMBER.test(text) ? text : undefined;
    case TIMESTAMP:
    case TIMESTAMPTZ:
      return jsonOfTimestamp(typeOid, text);
    default:
      // `to_jsonb` writes exponents of floats as digits, and -0 as 0.
      return FLOATS.includes(typeOid) && PLAIN_NUMBER.test(text) && !/^-0(\.0+)?$/.test(text)
        ? text
        : undefined;
  }
}

function jsonOfTimestamp(typeOid: number, text: string): string | undefined {
  const [, date, time, zone] = PLAIN_TIMESTAMP.exec(text) ?? [];
  if (date === undefined || (zone !== undefined) !== (typeOid === TIMESTAMPTZ)) return undefined;
  return `"${date}T${time}${zone === undefined ? '' : '+00:00'}"`;
}
