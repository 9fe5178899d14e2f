/**
 * Completes a verification in one transaction: locks the token's owner, confirms the address, revokes all other tokens,
 * and opens a session or issues a PKCE code.
 */
import type { Statement, Transaction } from '@greenroom/postgres';
import type { AuthContext } from '../../context.ts';
import type { AuthRequest } from '../../contracts/request.ts';
import { failure } from '../../errors.ts';
import { flowMethodOf } from '../../flow-state/mail-flow.ts';
import { hashAuthCode, issueAuthCode, newAuthCode } from '../../flow-state/statements.ts';
import { violatedUniqueConstraint } from '../../lib/database-error.ts';
import { notifyEmailChanged, notifyPhoneChanged } from '../../mail/notify.ts';
import { grantWithin } from '../../session/grant.ts';
import { openSession } from '../../session/open.ts';
import type { SessionResponse } from '../../session/response.ts';
import { findUserById } from '../../user/find.ts';
import { refreshProviders } from '../../user/update.ts';
import { isBanned, type UserRow } from '../../user/user.ts';
import { planMailboxProof } from '../proof/mailbox-proof.ts';
import { retryWhileLocked } from '../proof/revocation-lock.ts';
import { providerApproval } from '../provider-code.ts';
import { type TokenOwner, wipeTokens } from '../statements.ts';
import type { TokenKind } from '../token-kind.ts';
import { isPhoneType, type VerificationType } from '../verification-type.ts';
import { acceptFirstConfirmation, needsBothMailboxes, planEffects } from './effects.ts';
import { lockOwner, type Proof, type ProofOfAddress, wrongProof } from './owner.ts';

/** A verification to complete. */
interface Verification extends ProofOfAddress {
  /** Whether to issue a code instead of a session. */
  isPkce: boolean;
}

/** The result. `halfway`: the other mailbox must confirm, too. */
export type Verified =
  | { outcome: 'session'; response: SessionResponse }
  | { outcome: 'code'; code: string }
  | { outcome: 'half-confirmed' };

/**
 * Completes a verification. Throws `otp_expired`, `user_banned`, `flow_state_not_found`, `email_exists`, `phone_exists`
 * or `conflict`.
 */
export async function finishVerification(
  context: AuthContext,
  request: AuthRequest,
  verification: Verification,
): Promise<Verified> {
  const proven = { ...verification, proof: await checkedByProvider(context, verification) };
  const verified = await retryWhileLocked(() =>
    context.hooks.transaction((tx) => finish(tx, context, request, proven)),
  ).catch((error: unknown) => {
    const constraint = violatedUniqueConstraint(error);
    if (constraint === 'users_email_partial_key') throw failure('email_exists');
    if (constraint === 'users_phone_key') throw failure('phone_exists');
    throw error;
  });
  if (verification.type.endsWith('_change')) context.outbox.wake();
  return verified;
}

/** Has the provider of SMS check the code, if it has created it. The result does not depend on whether an account exists. */
async function checkedByProvider(context: AuthContext, { type, proof }: ProofOfAddress): Promise<Proof> {
  if (proof.by === 'link' || !isPhoneType(type)) return proof;
  return { ...proof, isApproved: await providerApproval(proof.address, proof.code, context) };
}

async function finish(
  tx: Transaction,
  context: AuthContext,
  request: AuthRequest,
  verification: Verification,
): Promise<Verified> {
  const { owner: found, kind } = await lockOwner(tx, context, verification);
  const now = context.now();
  if (isBanned(found, now)) throw failure('user_banned');
  if (verification.type === 'email_change' && needsBothMailboxes(found, context.config)) {
    await tx.commit(acceptFirstConfirmation(found, kind, now));
    return { outcome: 'half-confirmed' };
  }
  const proof = await planMailboxProof(tx, context, request, { owner: found, kind, type: verification.type });
  const owner = proof.revokesPassword ? { ...found, encrypted_password: null } : found;
  const effects = await planEffects(verification.type, kind, owner, {
    now,
    passwords: context.passwords,
    client: request,
  });
  const code = verification.isPkce ? await issueCode(tx, verification.type, owner, now) : undefined;
  const statements = [
    ...proof.revocations(code === undefined ? undefined : hashAuthCode(code)),
    ...effects.statements,
    ...proof.marks,
    wipeTokens(owner.id, now),
    refreshProviders(owner.id),
    ...(await notifyOwner(context, kind, owner)),
  ];
  if (code !== undefined) {
    await tx.commit(statements);
    return { outcome: 'code', code };
  }
  const opening = openSession(context, request, {
    user: { id: owner.id, encrypted_password: effects.passwordHash },
    method: 'otp',
    audit: [effects.audit],
  });
  const response = await grantWithin(tx, context, request, {
    statements: [...statements, opening.statement, findUserById(owner.id)],
    grantOf(results) {
      const user = results.at(-1)?.[0] as UserRow | undefined;
      if (user === undefined) throw wrongProof(verification.proof);
      return { ...opening, user };
    },
  });
  return { outcome: 'session', response };
}

/** Notifies the previous mailbox of a change of address or number. */
async function notifyOwner(context: AuthContext, kind: TokenKind, owner: TokenOwner): Promise<Statement[]> {
  switch (kind) {
    case 'email_change_token_current':
    case 'email_change_token_new':
      return notifyEmailChanged(context, owner, owner.email_change ?? '');
    case 'phone_change_token':
      return notifyPhoneChanged(context, owner, owner.phone_change ?? '');
    default:
      return [];
  }
}

async function issueCode(
  tx: Transaction,
  type: VerificationType,
  owner: TokenOwner,
  now: Date,
): Promise<string> {
  const code = newAuthCode();
  const method = flowMethodOf(type);
  const issued = method === undefined ? [] : await tx.query(issueAuthCode(owner.id, method, code, now));
  if (issued.length > 0) return code;
  throw failure('flow_state_not_found', { status: 400, message: 'No associated flow state found.' });
}
