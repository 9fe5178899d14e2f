/** PUT /admin/users/:userId: changes a user immediately, without the confirmations that the user would need. */
import type { Statement, Transaction } from '@greenroom/postgres';
import { type AuditActor, auditEntry } from '../audit/entry.ts';
import { writeAudit } from '../audit/write.ts';
import type { AuthContext } from '../context.ts';
import type { AuthRequest, AuthResponse } from '../contracts/request.ts';
import { requireStrongPassword } from '../credential/password/policy.ts';
import { failure } from '../errors.ts';
import { proveAddress } from '../one-time/proof/statements.ts';
import { lockUser, wipeTokens } from '../one-time/statements.ts';
import { requireAdmin } from '../session/caller.ts';
import { endSessions } from '../user/end-sessions.ts';
import { findOwnerOfEmail, findUserById, findUserByPhone } from '../user/find.ts';
import { requireMetadataSize } from '../user/metadata.ts';
import { toSaveFailure } from '../user/save-error.ts';
import {
  changePassword,
  confirmUser,
  mergeMetadata,
  refreshProviders,
  revokePendingSignIns,
} from '../user/update.ts';
import { toUser, type UserRow } from '../user/user.ts';
import { banExpiry } from './create-user.ts';
import { setAddress, updateUserRow } from './statements.ts';
import { adminActor, targetUser, userNotFound } from './target-user.ts';
import { readUserFields, type UserFields } from './user-fields.ts';

interface UserUpdate {
  id: string;
  fields: UserFields;
  /** Hash of the new password. */
  passwordHash: string | undefined;
  admin: AuditActor;
}

export async function updateUserAsAdmin(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  const claims = await requireAdmin(context, request);
  const { id } = await targetUser(context, request);
  const fields = readUserFields(request.body);
  const { password } = fields;
  if (password !== undefined) await requireStrongPassword(password, context);
  // Hash before the transaction: it takes long enough to keep other transactions waiting for locks.
  const passwordHash =
    password === undefined ? fields.passwordHash : await context.passwords.hash(password, request);
  const update: UserUpdate = { id, fields, passwordHash, admin: adminActor(claims) };
  const changed = await context.database
    .transaction((tx) => execute(tx, context, request, update))
    .catch((error: unknown) => {
      throw toSaveFailure(error, 'updating');
    });
  return { status: 200, body: toUser(changed) };
}

async function execute(
  tx: Transaction,
  context: AuthContext,
  request: AuthRequest,
  { id, fields, passwordHash, admin }: UserUpdate,
): Promise<UserRow> {
  // Sessions before users: user/update.ts explains the lock update.
  if (passwordHash !== undefined) await tx.query(endSessions('global', id, undefined));
  const [user] = await tx.query<UserRow>(lockUser(id));
  if (user === undefined) throw userNotFound();
  requireUnchanged(user, fields);
  if (fields.userMetadata) requireMetadataSize({ ...user.raw_user_meta_data, ...fields.userMetadata });
  if (fields.appMetadata) requireMetadataSize({ ...user.raw_app_meta_data, ...fields.appMetadata });
  await requireAddressesAvailable(tx, fields, user);
  const traits = {
    user_id: id,
    user_email: fields.email ?? user.email ?? '',
    user_phone: fields.phone ?? user.phone ?? '',
  };
  const results = await tx.commit([
    ...planChanges(id, fields, passwordHash, context.now()),
    ...writeAudit(context, request, [auditEntry(admin, 'user_modified', traits)]),
    findUserById(id),
  ]);
  return results.at(-1)?.[0] as unknown as UserRow;
}

/** Protects the changes of another administrator from being overwritten. */
function requireUnchanged({ updated_at }: UserRow, { ifUpdatedAt }: UserFields): void {
  if (ifUpdatedAt === undefined || updated_at?.getTime() === ifUpdatedAt) return;
  throw failure('conflict', { message: 'The user has changed since it was read' });
}

async function requireAddressesAvailable(
  tx: Transaction,
  { email, phone }: UserFields,
  { id, aud }: UserRow,
): Promise<void> {
  if (email !== undefined) {
    const [owner] = await tx.query(findOwnerOfEmail(email, aud ?? '', id));
    if (owner !== undefined) throw failure('email_exists');
  }
  if (phone !== undefined) {
    const [owner] = await tx.query<UserRow>(findUserByPhone(phone, aud ?? ''));
    if (owner !== undefined && owner.id !== id) throw failure('phone_exists');
  }
}

function planChanges(
  id: string,
  fields: UserFields,
  passwordHash: string | undefined,
  at: Date,
): Statement[] {
  const { email, phone, confirmsEmail, confirmsPhone, userMetadata, appMetadata, banMs } = fields;
  const bannedUntil = banMs === undefined ? undefined : banMs === 0 ? null : banExpiry(banMs, at);
  const changesAddress = email !== undefined || phone !== undefined;
  return [
    ...(passwordHash === undefined
      ? []
      : [...changePassword(id, passwordHash, at), ...revokePendingSignIns(id)]),
    updateUserRow(id, { role: fields.role, aud: fields.aud, bannedUntil }, at),
    ...(email === undefined ? [] : setAddress(id, 'email', email, confirmsEmail, at)),
    ...(phone === undefined ? [] : setAddress(id, 'phone', phone, confirmsPhone, at)),
    ...(changesAddress ? [refreshProviders(id)] : []),
    ...(confirmsEmail ? [confirmUser(id, 'email', at), proveAddress(id, 'email', at)] : []),
    ...(confirmsPhone ? [confirmUser(id, 'phone', at), proveAddress(id, 'phone', at)] : []),
    // Links sent to a former address must not open the account.
    ...(changesAddress || confirmsEmail || confirmsPhone ? [wipeTokens(id, at)] : []),
    ...(userMetadata ? [mergeMetadata(id, 'raw_user_meta_data', userMetadata, at)] : []),
    ...(appMetadata ? [mergeMetadata(id, 'raw_app_meta_data', appMetadata, at)] : []),
  ];
}
