/**
 * POST /admin/users/:userId/impersonate: opens a session with which an administrator uses the site as the user. GoTrue has
 * no such endpoint.
 */
import { auditEntry } from '../audit/entry.ts';
import type { AuthContext } from '../context.ts';
import type { AuthRequest, AuthResponse } from '../contracts/request.ts';
import { failure } from '../errors.ts';
import { requireAdmin } from '../session/caller.ts';
import { grantSession } from '../session/grant.ts';
import { openSession } from '../session/open.ts';
import { IMPERSONATION } from '../session/session.ts';
import { findUserById } from '../user/find.ts';
import { isBanned, type UserRow } from '../user/user.ts';
import { adminActor, targetUser, userNotFound } from './target-user.ts';

/** The session ends after this time; its last access token may outlive it by the lifetime of a token. */
const DURATION_MS = 3_600_000;

/**
 * Returns a session at aal1 of a user who is not an administrator of this service. It does not count as a sign-in, and
 * cannot manage the account. Throws `user_banned` and `not_admin`.
 */
export async function impersonate(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  const claims = await requireAdmin(context, request);
  const user = await targetUser(context, request);
  const now = context.now();
  if (user.deleted_at !== null) throw userNotFound();
  if (isBanned(user, now)) throw failure('user_banned');
  if (context.config.jwt.adminRoles.includes(user.role ?? '')) {
    throw failure('not_admin', { message: 'Administrators cannot be impersonated' });
  }
  const opening = openSession(context, request, {
    user,
    method: IMPERSONATION,
    audit: [auditEntry(adminActor(claims), 'login', { user_id: user.id, method: IMPERSONATION })],
    isImpersonation: true,
    notAfter: new Date(now.getTime() + DURATION_MS),
  });
  return grantSession(context, request, {
    statements: [opening.statement, findUserById(user.id)],
    grantOf([opened = [], found = []]) {
      const current = found[0] as UserRow | undefined;
      if (opened.length === 0 || current === undefined) throw userNotFound();
      return { ...opening, user: current };
    },
  });
}
