/** What an admin may say of a user, read from the body. */
import { z } from 'zod';
import { parseEmail } from '../email-address.ts';
import { failure } from '../errors.ts';
import { type Metadata, requireFitsToken } from '../metadata.ts';
import { isKnownHash } from '../password/hash.ts';
import { parsePhone } from '../phone-number.ts';
import { objectField, optionalTextField, parseBody, textField } from '../request-body.ts';
import { isUuid } from '../uuid.ts';

const flag = z
  .boolean()
  .nullish()
  .transform((value) => value ?? false);

const fields = z.object({
  id: textField,
  aud: textField,
  role: textField,
  email: textField,
  phone: textField,
  password: optionalTextField,
  password_hash: textField,
  email_confirm: flag,
  phone_confirm: flag,
  user_metadata: objectField,
  app_metadata: objectField,
  ban_duration: textField,
});

/** The fields, checked; undefined is "not given". */
export interface UserFields {
  id: string | undefined;
  aud: string | undefined;
  role: string | undefined;
  email: string | undefined;
  phone: string | undefined;
  password: string | undefined;
  passwordHash: string | undefined;
  confirmsEmail: boolean;
  confirmsPhone: boolean;
  userMetadata: Metadata | undefined;
  appMetadata: Metadata | undefined;
  /** In milliseconds; 0 lifts a ban. */
  banMs: number | undefined;
}

/** Of `users.role` and `users.aud`. */
const MAX_NAME_LENGTH = 255;

/** Reads the fields. Throws `bad_json` and `validation_failed`. */
export function readUserFields(body: Uint8Array | undefined): UserFields {
  const read = parseBody(body, fields);
  if (read.id !== '' && !isUuid(read.id)) throw refused('ID must conform to the uuid v4 format');
  if (read.password !== undefined && read.password_hash !== '') {
    throw refused('Only a password or a password hash should be provided');
  }
  if (read.password_hash !== '' && !isKnownHash(read.password_hash)) {
    throw refused('password_hash must be a hash of bcrypt or argon2');
  }
  if (Math.max(read.role.length, read.aud.length) > MAX_NAME_LENGTH) {
    throw refused(`role and aud must not be longer than ${MAX_NAME_LENGTH} characters`);
  }
  requireFitsToken(read.user_metadata ?? {});
  requireFitsToken(read.app_metadata ?? {});
  return {
    id: read.id.toLowerCase() || undefined,
    aud: read.aud || undefined,
    role: read.role || undefined,
    email: read.email === '' ? undefined : parseEmail(read.email),
    phone: read.phone === '' ? undefined : parsePhone(read.phone),
    password: read.password,
    passwordHash: read.password_hash || undefined,
    confirmsEmail: read.email_confirm,
    confirmsPhone: read.phone_confirm,
    userMetadata: read.user_metadata,
    appMetadata: read.app_metadata,
    banMs: read.ban_duration === '' ? undefined : parseBan(read.ban_duration),
  };
}

const UNIT_MS: Record<string, number> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};
const DURATION = /^[+-]?(?:\d{1,12}(?:\.\d{1,9})?(?:ns|us|µs|ms|s|m|h))+$/;
/** Of Go's durations: 2^63 nanoseconds. */
const MAX_BAN_MS = 2 ** 63 / 1e6;

/** `none`, or a duration as Go writes it, e.g. `24h` or `1h30m`. */
function parseBan(text: string): number {
  if (text === 'none' || text === '0') return 0;
  const parts = DURATION.test(text) ? [...text.matchAll(/([\d.]+)([a-zµ]+)/g)] : [];
  const ms = parts.reduce(
    (sum, [, amount = '0', unit = '']) => sum + Number(amount) * (UNIT_MS[unit] ?? 0),
    0,
  );
  if (parts.length === 0 || ms > MAX_BAN_MS) {
    throw refused(`invalid format for ban duration: ${JSON.stringify(text)}`);
  }
  return text.startsWith('-') ? 0 : ms;
}

function refused(message: string) {
  return failure('validation_failed', { message });
}
