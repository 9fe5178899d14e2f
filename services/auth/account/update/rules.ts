/** Rules for changes of the caller's own account. */

import { CatalogueError } from '@greenroom/errors';
import type { Database } from '@greenroom/postgres';
import type { AuthContext } from '../../context.ts';
import type { AuthRequest } from '../../contracts/request.ts';
import { failure } from '../../errors.ts';
import type { Caller } from '../../session/caller.ts';
import { hasUsedTwoFactors, type SessionRow } from '../../session/session.ts';
import type { AuthConfig } from '../../settings/settings.ts';
import { findOwnerOfEmail, findUserByPhone } from '../../user/find.ts';
import { hasVerifiedFactor, type UserRow } from '../../user/user.ts';
import type { Changes } from './changes.ts';

/**
 * Checks the rules that need no database. Throws `not_admin`, `insufficient_aal`, `user_sso_managed` or
 * `validation_failed`.
 */
export function requireAllowed(changes: Changes, { user, session }: Caller, { jwt }: AuthConfig): void {
  const isAdmin = user.aud === jwt.audience && user.role === jwt.adminRole;
  if (changes.appMetadata !== undefined && !isAdmin) {
    throw failure('not_admin', { message: 'Updating app_metadata requires admin privileges' });
  }
  const changesSignIn = Boolean(changes.password || changes.email || changes.phone);
  if (changesSignIn && hasVerifiedFactor(user) && !hasUsedTwoFactors(session))
    throw failure('insufficient_aal');
  if (changesSignIn && user.is_sso_user) throw failure('user_sso_managed');
  if (changes.password && user.is_anonymous && !changes.email && !changes.phone) {
    const message = 'Updating password of an anonymous user without an email or phone is not allowed';
    throw failure('validation_failed', { status: 422, message });
  }
}

/** Throws `email_exists` or `phone_exists` if another account has the new address. */
export async function requireFreeAddresses(
  database: Database,
  { email, phone }: Changes,
  { id }: UserRow,
  audience: string,
): Promise<void> {
  const [emailOwner, phoneOwner] = await Promise.all([
    email === undefined ? [] : database.query(findOwnerOfEmail(email, audience, id)),
    phone === undefined ? [] : database.query(findUserByPhone(phone, audience)),
  ]);
  if (emailOwner.length > 0) throw failure('email_exists');
  if (phoneOwner.length > 0) throw failure('phone_exists');
}

/**
 * Throws `current_password_required`, `current_password_invalid` or `same_password`. Throws `over_request_rate_limit`
 * after ten wrong passwords, so that a stolen session cannot be used to guess the password.
 */
export async function requirePasswordChange(
  { password, currentPassword }: Changes,
  { user, session }: Caller,
  { config: { password: rules }, limits, now, passwords }: AuthContext,
  request: AuthRequest,
): Promise<void> {
  if (!password || !user.encrypted_password) return;
  if (rules.requireCurrent && !isRecovery(session)) {
    if (currentPassword === '') throw failure('current_password_required');
    const check = async () => {
      if (await passwords.matches(currentPassword, user.encrypted_password, request)) return;
      throw failure('current_password_invalid');
    };
    await limits.guardPassword(user.id, now(), check, isWrongPassword);
  }
  if (await passwords.matches(password, user.encrypted_password, request)) throw failure('same_password');
}

function isWrongPassword(error: unknown): boolean {
  return error instanceof CatalogueError && error.code === 'current_password_invalid';
}

/**
 * Methods of sessions that need no current password, because users who sign in by a code or link may have forgotten it.
 */
const RECOVERY_METHODS = new Set(['otp', 'magiclink', 'recovery']);

function isRecovery(session: SessionRow | undefined): boolean {
  return session?.amr?.some(({ method }) => RECOVERY_METHODS.has(method)) ?? false;
}
