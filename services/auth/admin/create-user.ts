/**
 * POST /admin/users: creates an account as an admin specifies it. Sends no mail and does not check the strength
 * of the password.
 */
import { randomUUID } from 'node:crypto';
import type { Statement } from '@greenroom/postgres';
import { auditEntry } from '../audit/entry.ts';
import { writeAudit } from '../audit/write.ts';
import type { AuthContext } from '../context.ts';
import type { AuthRequest, AuthResponse } from '../contracts/request.ts';
import { isTooLong } from '../credential/password/strength.ts';
import { failure } from '../errors.ts';
import { proveAddress } from '../one-time/proof/statements.ts';
import { type Claims, requireAdmin } from '../session/caller.ts';
import { audienceOf } from '../user/audience.ts';
import { findOwnerOfEmail, findUserById, findUserByPhone } from '../user/find.ts';
import { insertUser } from '../user/insert.ts';
import type { Metadata } from '../user/metadata.ts';
import { toSaveFailure } from '../user/save-error.ts';
import { confirmUser } from '../user/update.ts';
import { toUser, type UserRow } from '../user/user.ts';
import { setAddress, updateUserRow } from './statements.ts';
import { adminActor } from './target-user.ts';
import { readUserFields, type UserFields } from './user-fields.ts';

export async function createUser(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  const claims = await requireAdmin(context, request);
  const fields = readUserFields(request.body);
  if (fields.email === undefined && fields.phone === undefined) {
    throw failure('validation_failed', { message: 'Cannot create a user without either an email or phone' });
  }
  if (fields.password && isTooLong(fields.password)) {
    throw failure('validation_failed', { message: 'Password cannot be longer than 72 characters' });
  }
  const audience = fields.aud ?? audienceOf(request, context.config, claims);
  await requireAddressesAvailable(context, fields, audience);
  const id = fields.id ?? randomUUID();
  const results = await context.database
    .batch([
      ...(await planUser(context, request, fields, id, audience)),
      ...auditOf(context, request, claims, fields, id),
      findUserById(id),
    ])
    .catch((error: unknown) => {
      throw toSaveFailure(error, 'creating new');
    });
  const user = results.at(-1)?.[0] as UserRow | undefined;
  if (user === undefined)
    throw failure('unexpected_failure', { message: 'Database error creating new user' });
  return { status: 200, body: toUser(user) };
}

async function requireAddressesAvailable(
  { database }: AuthContext,
  { email, phone }: UserFields,
  audience: string,
): Promise<void> {
  const [emailOwner, phoneOwner] = await Promise.all([
    email === undefined ? [] : database.query(findOwnerOfEmail(email, audience)),
    phone === undefined ? [] : database.query(findUserByPhone(phone, audience)),
  ]);
  if (emailOwner.length > 0) throw failure('email_exists');
  if (phoneOwner.length > 0) throw failure('phone_exists');
}

async function planUser(
  { config, now, passwords }: AuthContext,
  request: AuthRequest,
  fields: UserFields,
  id: string,
  audience: string,
): Promise<Statement[]> {
  const at = now();
  const { email, phone, password, banMs } = fields;
  const providers = [email && 'email', phone && 'phone'].filter(Boolean);
  const passwordHash = fields.passwordHash ?? (password ? await passwords.hash(password, request) : null);
  return [
    insertUser(
      {
        id,
        aud: audience,
        role: fields.role ?? config.jwt.defaultRole,
        email: email ?? null,
        phone: phone ?? null,
        passwordHash,
        appMetadata: withoutNulls({ provider: providers[0], providers, ...fields.appMetadata }),
        userMetadata: fields.userMetadata ?? {},
        isAnonymous: false,
      },
      at,
    ),
    ...(email === undefined ? [] : setAddress(id, 'email', email, fields.confirmsEmail, at)),
    ...(phone === undefined ? [] : setAddress(id, 'phone', phone, fields.confirmsPhone, at)),
    ...(email !== undefined && fields.confirmsEmail
      ? [confirmUser(id, 'email', at), proveAddress(id, 'email', at)]
      : []),
    ...(phone !== undefined && fields.confirmsPhone
      ? [confirmUser(id, 'phone', at), proveAddress(id, 'phone', at)]
      : []),
    ...(banMs
      ? [updateUserRow(id, { role: undefined, aud: undefined, bannedUntil: banExpiry(banMs, at) }, at)]
      : []),
  ];
}

/** Null removes a key, as in metadata updates. */
function withoutNulls(metadata: Metadata): Metadata {
  return Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== null));
}

/** Latest time that both `Date` and `timestamptz` can represent; later times are capped to it. */
const LAST_MS = Date.UTC(9999, 11, 31);

/** Returns when a ban ends. @param banMs more than 0 */
export function banExpiry(banMs: number, now: Date): Date {
  return new Date(Math.min(now.getTime() + banMs, LAST_MS));
}

function auditOf(
  context: AuthContext,
  request: AuthRequest,
  claims: Claims,
  { email = '', phone = '' }: UserFields,
  id: string,
): Statement[] {
  const provider = email === '' ? 'phone' : 'email';
  const traits = { provider, user_id: id, user_email: email, user_phone: phone };
  return writeAudit(context, request, [auditEntry(adminActor(claims), 'user_signedup', traits)]);
}
