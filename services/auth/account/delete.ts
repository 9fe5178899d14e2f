/** DELETE /user: deletes the caller's account and all rows that belong to it. GoTrue has no such endpoint. */
import { CatalogueError } from '@greenroom/errors';
import type { Transaction } from '@greenroom/postgres';
import { z } from 'zod';
import { auditEntry } from '../audit/entry.ts';
import { writeAudit } from '../audit/write.ts';
import type { AuthContext } from '../context.ts';
import type { AuthRequest, AuthResponse } from '../contracts/request.ts';
import { failure } from '../errors.ts';
import { parseBody, textField } from '../http/request-body.ts';
import { requireCaller, requireSecondFactor } from '../session/caller.ts';
import { toSaveFailure } from '../user/save-error.ts';
import type { UserRow } from '../user/user.ts';
import { deleteUser, lockForDeletion } from './delete-user.ts';

const fields = z.object({ password: textField });

/**
 * Deletes the caller's account. Throws `insufficient_aal` if the user has a second factor that this session did not
 * use. If the user has a password, throws `current_password_required` or `current_password_invalid` unless the body has
 * it.
 */
export async function deleteAccount(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  const caller = await requireCaller(context, request);
  context.limits.check('user', request, context.now(), caller.user.id);
  const password = request.body?.length ? parseBody(request.body, fields).password : '';
  requireSecondFactor(caller, 401, 'AAL2 session is required to delete an account with MFA');
  await requireOwnPassword(context, request, caller.user, password);
  await context.database
    .transaction((tx) => deleteLocked(tx, context, request, caller.user))
    .catch((error: unknown) => {
      throw toSaveFailure(error, 'deleting');
    });
  return { status: 204 };
}

async function deleteLocked(
  tx: Transaction,
  context: AuthContext,
  request: AuthRequest,
  checked: UserRow,
): Promise<void> {
  const user = await lockForDeletion(tx, checked.id);
  if (user === undefined) throw failure('user_not_found');
  // The password changed while this request checked it.
  if (user.encrypted_password !== checked.encrypted_password) throw wrongPassword();
  const traits = { user_id: user.id, user_email: user.email ?? '', user_phone: user.phone ?? '' };
  const entries = [auditEntry(user, 'user_deleted', traits)];
  await tx.commit([deleteUser(user.id), ...writeAudit(context, request, entries)]);
}

/**
 * Requires the password, because an attacker at an unattended browser has the access token. Limits wrong passwords to a
 * few per hour and account, for all clients together.
 */
async function requireOwnPassword(
  context: AuthContext,
  request: AuthRequest,
  user: UserRow,
  password: string,
): Promise<void> {
  if (!user.encrypted_password) return;
  if (password === '') {
    throw failure('current_password_required', { message: 'Password required to delete the account' });
  }
  const check = async () => {
    if (await context.passwords.matches(password, user.encrypted_password, request)) return;
    throw wrongPassword();
  };
  await context.limits.guardPassword(user.id, context.now(), check, isWrongGuess);
}

function wrongPassword() {
  return failure('current_password_invalid', { message: 'The password is incorrect' });
}

function isWrongGuess(error: unknown): boolean {
  return error instanceof CatalogueError && error.code === 'current_password_invalid';
}
