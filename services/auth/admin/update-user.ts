/** PUT /admin/users/:userId: changes a user at once, without the confirmations that the user would need. */
import type { Statement } from '@greenroom/postgres';
import { writeAudit } from '../audit/write.ts';
import { auditEntry } from '../audit.ts';
import { requireAdmin } from '../caller.ts';
import type { AuthContext, AuthRequest, AuthResponse } from '../endpoint.ts';
import { failure } from '../errors.ts';
import { requireFitsToken } from '../metadata.ts';
import { hashPassword } from '../password/hash.ts';
import { requireStrongPassword } from '../password/strength.ts';
import { endSessions } from '../session/end.ts';
import { findOwnerOfEmail, findUserById, findUserByPhone } from '../user/find.ts';
import { changePassword, confirmUser, mergeMetadata, refreshProviders } from '../user/update.ts';
import { toUser, type UserRow } from '../user.ts';
import { endOfBan } from './create-user.ts';
import { refusedSave } from './save-error.ts';
import { changeRow, setAddress } from './statements.ts';
import { adminActor, targetUser } from './target-user.ts';
import { readUserFields, type UserFields } from './user-fields.ts';

/** Changes a user. */
export async function updateUserAsAdmin(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  const claims = await requireAdmin(context, request);
  const fields = readUserFields(request.body);
  const user = await targetUser(context, request);
  if (fields.password) requireStrongPassword(fields.password, context.config.password);
  requireFitsToken({ ...user.raw_user_meta_data, ...fields.userMetadata });
  await requireFree(context, fields, user);
  const traits = { user_id: user.id, user_email: user.email ?? '', user_phone: user.phone ?? '' };
  const statements = [
    ...(await planChanges(context, user, fields)),
    ...writeAudit(context, request, [auditEntry(adminActor(claims), 'user_modified', traits)]),
    findUserById(user.id),
  ];
  const results = await context.database.batch(statements).catch((error: unknown) => {
    throw refusedSave(error, 'updating');
  });
  const changed = results.at(-1)?.[0] as UserRow | undefined;
  if (changed === undefined) throw failure('user_not_found', { status: 404, message: 'User not found' });
  return { status: 200, body: toUser(changed) };
}

async function requireFree(
  { database }: AuthContext,
  { email, phone }: UserFields,
  { id, aud }: UserRow,
): Promise<void> {
  const [emailOwner, phoneOwner] = await Promise.all([
    email === undefined ? [] : database.query<UserRow>(findOwnerOfEmail(email, aud ?? '', id)),
    phone === undefined ? [] : database.query<UserRow>(findUserByPhone(phone, aud ?? '')),
  ]);
  if (emailOwner.length > 0) throw failure('email_exists');
  if (phoneOwner.some((owner) => owner.id !== id)) throw failure('phone_exists');
}

async function planChanges({ now }: AuthContext, { id }: UserRow, fields: UserFields): Promise<Statement[]> {
  const at = now();
  const { email, phone, password, confirmsEmail, confirmsPhone, userMetadata, appMetadata, banMs } = fields;
  const passwordHash = fields.passwordHash ?? (password ? await hashPassword(password) : undefined);
  const bannedUntil = banMs === undefined ? undefined : banMs === 0 ? null : endOfBan(banMs, at);
  const changesAddress = email !== undefined || phone !== undefined;
  return [
    ...(passwordHash ? [endSessions('global', id, undefined), ...changePassword(id, passwordHash, at)] : []),
    changeRow(id, { role: fields.role, aud: fields.aud, bannedUntil }, at),
    ...(email === undefined ? [] : setAddress(id, 'email', email, confirmsEmail, at)),
    ...(phone === undefined ? [] : setAddress(id, 'phone', phone, confirmsPhone, at)),
    ...(changesAddress ? [refreshProviders(id)] : []),
    ...(confirmsEmail ? [confirmUser(id, 'email', at)] : []),
    ...(confirmsPhone ? [confirmUser(id, 'phone', at)] : []),
    ...(userMetadata ? [mergeMetadata(id, 'raw_user_meta_data', userMetadata, at)] : []),
    ...(appMetadata ? [mergeMetadata(id, 'raw_app_meta_data', appMetadata, at)] : []),
  ];
}
