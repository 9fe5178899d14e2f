/**
 * PUT /user: the caller changes their own account. Under automatic confirmation a new phone number, and an
 * anonymous user's first email address, are taken at once. A permanent user's new email address is only noted
 * (`new_email`): it has to be confirmed from a mailbox, whatever is confirmed automatically.
 */
import { CatalogueError } from '@greenroom/errors';
import type { Statement } from '@greenroom/postgres';
import { audienceOf } from './audience.ts';
import { writeAudit } from './audit/write.ts';
import { auditEntry } from './audit.ts';
import { type Caller, requireCaller } from './caller.ts';
import { brokenUniqueConstraint } from './database-error.ts';
import type { AuthContext, AuthRequest, AuthResponse } from './endpoint.ts';
import { failure } from './errors.ts';
import { hashPassword } from './password/hash.ts';
import { endSessions } from './session/end.ts';
import { type Changes, parseChanges } from './update-user/changes.ts';
import { requireAllowed, requireFreeAddresses, requirePasswordChange } from './update-user/rules.ts';
import { findUserById } from './user/find.ts';
import {
  changeEmail,
  changePassword,
  changePhone,
  mergeMetadata,
  requestEmailChange,
} from './user/update.ts';
import { toUser, type UserRow } from './user.ts';

/** Changes the caller's account. */
export async function updateUser(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  const caller = await requireCaller(context, request);
  context.limits.check('user', request, context.now());
  const changes = parseChanges(request.body, caller.user, context.config);
  requireAllowed(changes, caller, context.config);
  await requireFreeAddresses(
    context.database,
    changes,
    caller.user,
    audienceOf(request, context.config, caller.claims),
  );
  await requirePasswordChange(changes, caller, context.config);
  const statements = [
    ...(await planChanges(context, caller, changes)),
    ...writeAudit(context, request, auditOf(caller, changes)),
    findUserById(caller.user.id),
  ];
  const results = await context.database.batch(statements).catch((error: unknown) => {
    throw refusedChange(error);
  });
  const user = results.at(-1)?.[0] as UserRow | undefined;
  if (user === undefined) throw failure('user_not_found');
  return { status: 200, body: toUser(user) };
}

/** Sessions first: see user/update.ts. */
async function planChanges(
  { now }: AuthContext,
  { user, session }: Caller,
  changes: Changes,
): Promise<Statement[]> {
  const at = now();
  const { id } = user;
  const { password, data, appMetadata, email, phone } = changes;
  const statements: Statement[] = [];
  if (password !== undefined) {
    const hash = await hashPassword(password);
    statements.push(endSessions('others', id, session?.id), ...changePassword(id, hash, at));
  }
  if (data !== undefined) statements.push(mergeMetadata(id, 'raw_user_meta_data', data, at));
  if (appMetadata !== undefined) statements.push(mergeMetadata(id, 'raw_app_meta_data', appMetadata, at));
  if (email !== undefined && user.is_anonymous) statements.push(...changeEmail(id, email, at));
  if (email !== undefined && !user.is_anonymous) statements.push(requestEmailChange(id, email, at));
  if (phone !== undefined) statements.push(...changePhone(id, phone, at));
  return statements;
}

function auditOf({ user }: Caller, { password }: Changes) {
  const modified = auditEntry(user, 'user_modified');
  return password === undefined ? [modified] : [auditEntry(user, 'user_updated_password'), modified];
}

function refusedChange(error: unknown): unknown {
  if (error instanceof CatalogueError) return error;
  const constraint = brokenUniqueConstraint(error);
  if (constraint === 'users_email_partial_key') return failure('email_exists');
  if (constraint === 'users_phone_key') return failure('phone_exists');
  return failure('unexpected_failure', { message: 'Error updating user', cause: error });
}
