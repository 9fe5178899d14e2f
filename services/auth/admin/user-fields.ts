/** Parses and validates the body in which an admin describes a user. */
import { z } from 'zod';
import { isKnownHash } from '../credential/password/hash.ts';
import { failure } from '../errors.ts';
import { objectField, optionalTextField, parseBody, textField } from '../http/request-body.ts';
import { isUuid } from '../http/uuid.ts';
import { parseEmail } from '../user/email-address.ts';
import { NIL_UUID } from '../user/find.ts';
import { type Metadata, requireMetadataSize } from '../user/metadata.ts';
import { parsePhone } from '../user/phone-number.ts';
import { parseGoDuration } from './go-duration.ts';

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
  if_updated_at: textField,
});

/** The validated fields; undefined if absent. */
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
  /** The time of the last change on which an update is based, in milliseconds. */
  ifUpdatedAt: number | undefined;
}

/** Length of `users.role` and `users.aud`. */
const MAX_NAME_LENGTH = 255;

/** Parses the fields. Throws `bad_json` and `validation_failed`. */
export function readUserFields(body: Uint8Array | undefined): UserFields {
  const read = parseBody(body, fields);
  if (read.id !== '' && !isUuid(read.id)) throw validationFailure('ID must conform to the uuid v4 format');
  if (read.id === NIL_UUID) throw validationFailure('ID cannot be a nil uuid');
  if (read.password !== undefined && read.password_hash !== '') {
    throw validationFailure('Only a password or a password hash should be provided');
  }
  if (read.password_hash !== '' && !isKnownHash(read.password_hash)) {
    throw validationFailure('password_hash must be a hash of bcrypt, argon2 or Firebase scrypt');
  }
  if (Math.max(read.role.length, read.aud.length) > MAX_NAME_LENGTH) {
    throw validationFailure(`role and aud must not be longer than ${MAX_NAME_LENGTH} characters`);
  }
  requireMetadataSize(read.user_metadata ?? {});
  requireMetadataSize(read.app_metadata ?? {});
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
    ifUpdatedAt: read.if_updated_at === '' ? undefined : parseTime(read.if_updated_at),
  };
}

/** Parses `none` or a duration in Go's format, e.g. `24h` or `1h30m`. Negative durations count as 0. */
function parseBan(text: string): number {
  const ms = text === 'none' ? 0 : parseGoDuration(text);
  if (ms === undefined) {
    throw validationFailure(
      `invalid format for ban duration: ${JSON.stringify(text.slice(0, MAX_NAME_LENGTH))}`,
    );
  }
  return Math.max(0, ms);
}

function parseTime(text: string): number {
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw validationFailure('if_updated_at must be a time');
  return ms;
}

function validationFailure(message: string) {
  return failure('validation_failed', { message });
}
