/**
 * DELETE /user/identities/:identityId: takes away one of the caller's ways to sign in, never the last. The address
 * that came with it goes, too: another identity's takes its place.
 */
import type { Statement, Transaction } from '@greenroom/postgres';
import { auditEntry } from '../audit/entry.ts';
import { writeAudit } from '../audit/write.ts';
import type { AuthContext } from '../context.ts';
import type { AuthRequest, AuthResponse } from '../contracts/request.ts';
import { failure } from '../errors.ts';
import { uuidParam } from '../http/uuid.ts';
import { brokenUniqueConstraint } from '../lib/database-error.ts';
import { notifyIdentityUnlinked } from '../mail/notify.ts';
import { lockUser, wipeTokens } from '../one-time/statements.ts';
import { requireCaller, requireSecondFactor } from '../session/caller.ts';
import { findUserById } from '../user/find.ts';
import type { IdentityRow } from '../user/identity.ts';
import { refreshProviders } from '../user/update.ts';
import type { UserRow } from '../user/user.ts';

/** Unlinks an identity. */
export async function unlinkIdentity(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  const caller = await requireCaller(context, request);
  const { user } = caller;
  if (!context.config.manualLinking) throw failure('manual_linking_disabled');
  requireSecondFactor(caller, 403, 'AAL2 required to unlink identities');
  const id = uuidParam(request, 'identityId');
  await context.database
    .transaction((tx) => unlink(tx, context, request, { id, userId: user.id }))
    .catch((error: unknown) => {
      const isTaken = brokenUniqueConstraint(error) === 'users_email_partial_key';
      throw isTaken ? failure('email_conflict_identity_not_deletable') : error;
    });
  context.outbox.wake();
  return { status: 200, body: {} };
}

/** Looks at the identities with the user locked: two requests that take two different ones must leave one. */
async function unlink(
  tx: Transaction,
  context: AuthContext,
  request: AuthRequest,
  { id, userId }: { id: string; userId: string },
): Promise<void> {
  await tx.query(lockUser(userId));
  const [user] = await tx.query<UserRow>(findUserById(userId));
  if (user === undefined) throw failure('user_not_found');
  const identities = user.identities ?? [];
  if (identities.length <= 1) throw failure('single_identity_not_deletable');
  const identity = identities.find((candidate) => candidate.id === id);
  if (identity === undefined) throw failure('identity_not_found');
  const remaining = identities.filter((candidate) => candidate !== identity);
  const traits = { identity_id: id, provider: identity.provider, provider_id: identity.provider_id };
  await tx.commit([
    deleteIdentity(id, userId),
    identity.provider === 'phone'
      ? clearPhone(userId, context.now())
      : chooseEmail(userId, pickEmail(remaining), context),
    wipeTokens(userId, context.now()),
    refreshProviders(userId),
    ...(await notifyIdentityUnlinked(context, user, identity.provider)),
    ...writeAudit(context, request, [auditEntry(user, 'identity_unlinked', traits)]),
  ]);
}

/** An address that is left, a verified one if there is one; of several the oldest. */
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

/** An address that nobody has confirmed must not count as confirmed, unless addresses count at once. */
function chooseEmail(
  userId: string,
  picked: { email: string; isVerified: boolean } | undefined,
  { config, now }: AuthContext,
): Statement {
  const keepsConfirmation = picked === undefined || picked.isVerified || config.autoconfirm.email;
  return {
    name: 'auth_choose_email',
    text: `update auth.users set email = $2::text,
        email_confirmed_at = case when $2::text is null or not $3 then null else email_confirmed_at end,
        updated_at = $4 where id = $1`,
    values: [userId, picked?.email ?? null, keepsConfirmation, now()],
  };
}
