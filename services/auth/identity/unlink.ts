/**
 * DELETE /user/identities/:identityId: unlinks an identity of the caller, but never the last one. The account
 * loses the identity's address and gets that of another identity.
 */
import type { Statement, Transaction } from '@greenroom/postgres';
import { type AuditActor, auditEntry } from '../audit/entry.ts';
import { writeAudit } from '../audit/write.ts';
import type { AuthContext } from '../context.ts';
import type { AuthRequest, AuthResponse } from '../contracts/request.ts';
import { failure } from '../errors.ts';
import { uuidParam } from '../http/uuid.ts';
import { violatedUniqueConstraint } from '../lib/database-error.ts';
import { notifyIdentityUnlinked } from '../mail/notify.ts';
import { lockUser, wipeTokens } from '../one-time/statements.ts';
import { requireCaller, requireSecondFactor } from '../session/caller.ts';
import { findUserById } from '../user/find.ts';
import type { IdentityRow } from '../user/identity.ts';
import { refreshProviders } from '../user/update.ts';
import type { UserRow } from '../user/user.ts';

export async function unlinkIdentity(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  const caller = await requireCaller(context, request);
  const { user } = caller;
  if (!context.config.manualLinking) throw failure('manual_linking_disabled');
  requireSecondFactor(caller, 403, 'AAL2 required to unlink identities');
  await removeIdentity(context, request, { userId: user.id });
  return { status: 200, body: {} };
}

/** An identity to unlink. The actor is the user by default. */
interface Removal {
  userId: string;
  actor?: AuditActor;
}

/**
 * Unlinks the identity in the path from a user. Throws `user_not_found`, `single_identity_not_deletable`,
 * `identity_not_found` or `email_conflict_identity_not_deletable`.
 */
export async function removeIdentity(
  context: AuthContext,
  request: AuthRequest,
  removal: Removal,
): Promise<void> {
  const id = uuidParam(request, 'identityId');
  await context.database
    .transaction((tx) => unlink(tx, context, request, { ...removal, id }))
    .catch((error: unknown) => {
      const isTaken = violatedUniqueConstraint(error) === 'users_email_partial_key';
      throw isTaken ? failure('email_conflict_identity_not_deletable') : error;
    });
  context.outbox.wake();
}

/**
 * Locks the user before it reads the identities: of two concurrent requests for different identities, one must
 * fail if it would remove the last.
 */
async function unlink(
  tx: Transaction,
  context: AuthContext,
  request: AuthRequest,
  { id, userId, actor }: Removal & { id: string },
): Promise<void> {
  await tx.query(lockUser(userId));
  const [user] = await tx.query<UserRow>(findUserById(userId));
  if (user === undefined) throw failure('user_not_found');
  const identities = user.identities ?? [];
  if (identities.length <= 1) throw failure('single_identity_not_deletable');
  const identity = identities.find((candidate) => candidate.id === id);
  if (identity === undefined) throw failure('identity_not_found');
  const remaining = identities.filter((candidate) => candidate !== identity);
  const traits = {
    ...(actor && { user_id: userId }),
    identity_id: id,
    provider: identity.provider,
    provider_id: identity.provider_id,
  };
  await tx.commit([
    deleteIdentity(id, userId),
    identity.provider === 'phone'
      ? clearPhone(userId, context.now())
      : replaceEmail(userId, pickEmail(remaining), context),
    wipeTokens(userId, context.now()),
    refreshProviders(userId),
    ...(await notifyIdentityUnlinked(context, user, identity.provider)),
    ...writeAudit(context, request, [auditEntry(actor ?? user, 'identity_unlinked', traits)]),
  ]);
}

/** Picks a remaining address: the oldest verified one, otherwise the oldest. */
function pickEmail(identities: readonly IdentityRow[]): { email: string; isVerified: boolean } | undefined {
  const known = identities.flatMap(({ email, identity_data }) =>
    email ? [{ email, isVerified: identity_data?.email_verified === true }] : [],
  );
  return known.find(({ isVerified }) => isVerified) ?? known[0];
}

function deleteIdentity(id: string, userId: string): Statement {
  return {
    name: 'auth_delete_identity',
    text: 'delete from auth.identities where id = $1 and user_id = $2',
    values: [id, userId],
  };
}

function clearPhone(userId: string, now: Date): Statement {
  return {
    name: 'auth_clear_phone',
    text: 'update auth.users set phone = null, phone_confirmed_at = null, updated_at = $2 where id = $1',
    values: [userId, now],
  };
}

/** An unconfirmed address must not inherit the confirmation of its predecessor, except with autoconfirm. */
function replaceEmail(
  userId: string,
  remaining: { email: string; isVerified: boolean } | undefined,
  { config, now }: AuthContext,
): Statement {
  const keepsConfirmation = remaining === undefined || remaining.isVerified || config.autoconfirm.email;
  return {
    name: 'auth_choose_email',
    text: `update auth.users set email = $2::text,
        email_confirmed_at = case when $2::text is null or not $3 then null else email_confirmed_at end,
        updated_at = $4 where id = $1`,
    values: [userId, remaining?.email ?? null, keepsConfirmation, now()],
  };
}
