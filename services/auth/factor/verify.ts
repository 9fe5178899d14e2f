/**
 * POST /factors/:factorId/verify: verifies the response to a challenge. Raises the session to aal2, verifies a factor
 * that was being enrolled, and ends all sessions of the user without a second factor.
 */
import { CatalogueError } from '@greenroom/errors';
import { secretsEqual } from '@greenroom/keys';
import type { Statement, Transaction } from '@greenroom/postgres';
import { z } from 'zod';
import { auditEntry } from '../audit/entry.ts';
import { writeAudit } from '../audit/write.ts';
import type { AuthContext } from '../context.ts';
import type { AuthRequest, AuthResponse } from '../contracts/request.ts';
import { failure } from '../errors.ts';
import { checkMfaAttempt } from '../hooks/mfa-verification-attempt.ts';
import { parseBody, textField } from '../http/request-body.ts';
import { isUuid } from '../http/uuid.ts';
import { open } from '../lib/secret-box.ts';
import { notifyFactorEnrolled } from '../mail/notify.ts';
import { hashCode } from '../one-time/code.ts';
import { notApproved, providerApproval } from '../one-time/provider-code.ts';
import {
  type ElevatedSession,
  elevateSession,
  type LockedSession,
  lockSessions,
} from '../session/elevate.ts';
import { grantWithin } from '../session/grant.ts';
import { hasUsedTwoFactors } from '../session/session.ts';
import type { FactorRow } from '../user/factor.ts';
import { findUserById } from '../user/find.ts';
import type { UserRow } from '../user/user.ts';
import { countFailure, isVoid, requireAttemptsLeft } from './attempt-limit.ts';
import { type FactorCaller, factorOfPath, requireFactorCaller } from './caller.ts';
import { type LockedChallenge, lockChallenge, requireOpen } from './challenges.ts';
import { requireVerifiable } from './verifiable.ts';
import { requireWebauthnResponse, type WebauthnResponse, webauthnField } from './webauthn-response.ts';

const fields = z.object({ challenge_id: textField, code: textField, webauthn: webauthnField });

type Fields = z.output<typeof fields>;

/** Type of factor → method in the claim `amr`. */
const METHODS = { totp: 'totp', phone: 'mfa/phone', webauthn: 'mfa/webauthn' } as const;

/** The result of a valid attempt. */
interface Proof {
  /** Stored in the challenge, so that a code can be used only once. */
  usedCode: string | null;
  statements: Statement[];
}

/** Handles POST /factors/:factorId/verify. */
export async function verifyFactor(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  const caller = await requireFactorCaller(context, request);
  context.limits.check('factor', request, context.now(), caller.user.id);
  const factor = factorOfPath(caller, request);
  requireVerifiable(factor.factor_type, context);
  const body = parseBody(request.body, fields);
  const response = factor.factor_type === 'webauthn' ? requireWebauthnResponse(body.webauthn) : undefined;
  if (response === undefined && body.code === '') {
    throw failure('validation_failed', { message: 'Code needs to be non-empty' });
  }
  const isApproved = await approvalOf(context, factor, body.code);
  const attempt = { caller, factor, body, response, isApproved };
  return verifyWithHook(context, request, attempt).catch((error: unknown) => {
    throw isApproved === false && isVerificationFailure(error) ? notApproved() : error;
  });
}

/** Whether the provider of SMS approves the code of a phone factor; undefined if it has not created the code. */
async function approvalOf(
  context: AuthContext,
  { factor_type: type, phone }: FactorRow,
  code: string,
): Promise<boolean | undefined> {
  return type === 'phone' && phone !== null ? providerApproval(phone, code, context) : undefined;
}

/**
 * As in GoTrue, the hook is called for every code, right or wrong. It runs between two transactions: its writes after a
 * wrong code must not be rolled back, and a request that holds one connection must not wait for another.
 */
async function verifyWithHook(
  context: AuthContext,
  request: AuthRequest,
  attempt: Attempt,
): Promise<AuthResponse> {
  const { caller, factor, response } = attempt;
  if (context.hooks.isSet('mfaVerificationAttempt') && response === undefined) {
    const valid = await context.database.transaction((tx) => isValidAttempt(tx, context, request, attempt));
    const { id: factor_id, factor_type } = factor;
    await checkMfaAttempt(context, request, { user_id: caller.user.id, factor_id, factor_type, valid });
    if (!valid) throw wrongCode(factor);
  }
  return context.hooks.transaction((tx) => verify(tx, context, request, attempt));
}

async function isValidAttempt(
  tx: Transaction,
  context: AuthContext,
  request: AuthRequest,
  attempt: Attempt,
): Promise<boolean> {
  try {
    await verifyAttempt(tx, context, request, attempt);
    return true;
  } catch (error) {
    if (isVerificationFailure(error)) return false;
    throw error;
  }
}

/**
 * Locks the sessions and the factor, so that only one of two concurrent attempts is accepted. Commits the count of a
 * failed attempt, which ends the transaction.
 */
async function verifyAttempt(
  tx: Transaction,
  context: AuthContext,
  request: AuthRequest,
  attempt: Attempt,
): Promise<{ lockedSession: LockedSession; challenge: LockedChallenge; proof: Proof }> {
  const { factor, body, response } = attempt;
  const { user, session } = attempt.caller;
  // Locks sessions first, like every transaction.
  const sessions = await tx.query<LockedSession>(lockSessions(user.id));
  const lockedSession = sessions.find(({ id }) => id === session.id);
  if (lockedSession === undefined) throw failure('session_not_found');
  const challengeId = isUuid(body.challenge_id) ? body.challenge_id : user.id;
  const [challenge] = await tx.query<LockedChallenge>(lockChallenge(challengeId, factor.id, request.address));
  requireOpen(challenge, context);
  requireOtherFactor(challenge, lockedSession);
  const now = context.now();
  requireAttemptsLeft(challenge, now);
  try {
    const proof = response
      ? await (await import('./webauthn.ts')).verifyWebauthn(context, factor, challenge, response)
      : await verifyCode(tx, context, challenge, attempt);
    return { lockedSession, challenge, proof };
  } catch (error) {
    if (isVerificationFailure(error)) await tx.commit([countFailure(challenge, factor.id, now)]);
    throw error;
  }
}

/**
 * A new factor needs a session in which an older factor was used. The check at enrolment is not enough: an attacker
 * with a stolen password could enroll a factor before the owner does and verify it afterwards.
 */
function requireOtherFactor({ status, has_other_factor }: LockedChallenge, session: LockedSession): void {
  if (status === 'verified' || !has_other_factor || hasUsedTwoFactors(session)) return;
  throw failure('insufficient_aal', { status: 403, message: 'AAL2 required to verify a new factor' });
}

function isVerificationFailure(error: unknown): boolean {
  return error instanceof CatalogueError && error.code === 'mfa_verification_failed';
}

interface Attempt {
  caller: FactorCaller;
  factor: FactorRow;
  body: Fields;
  response: WebauthnResponse | undefined;
  /** Set if the provider of SMS has checked the code. */
  isApproved: boolean | undefined;
}

async function verify(
  tx: Transaction,
  context: AuthContext,
  request: AuthRequest,
  attempt: Attempt,
): Promise<AuthResponse> {
  const { lockedSession, challenge, proof } = await verifyAttempt(tx, context, request, attempt);
  const { factor, caller } = attempt;
  const { user, session } = caller;
  const now = context.now();
  const traits = { factor_id: factor.id, challenge_id: challenge.id, factor_type: factor.factor_type };
  const elevation = elevateSession(context, {
    userId: user.id,
    session: lockedSession,
    factorId: factor.id,
    method: METHODS[factor.factor_type],
  });
  const isNew = factor.status !== 'verified';
  const statements = [
    closeChallenge(challenge.id, proof.usedCode, now),
    confirmFactor(factor.id, now),
    deleteUnverifiedFactors(factor, user.id),
    ...proof.statements,
    ...elevation.statements,
    ...(isNew ? await notifyFactorEnrolled(context, user, factor.factor_type) : []),
    ...writeAudit(context, request, [auditEntry(user, 'verification_attempted', traits)]),
    elevation.read,
    findUserById(user.id),
  ];
  const response = await grantWithin(tx, context, request, {
    statements,
    grantOf(results) {
      const elevated = results.at(-2)?.[0] as ElevatedSession | undefined;
      const verified = results.at(-1)?.[0] as UserRow | undefined;
      if (elevated === undefined || verified === undefined) throw failure('session_not_found');
      const { created_at: createdAt, amr } = elevated;
      const elevatedSession = { id: session.id, createdAt, amr, isUserVerified: lockedSession.user_verified };
      return { user: verified, session: elevatedSession, refreshToken: elevation.refreshToken };
    },
  });
  if (isNew) context.outbox.wake();
  return response;
}

async function verifyCode(
  tx: Transaction,
  context: AuthContext,
  challenge: LockedChallenge,
  { factor, body: { code }, isApproved }: Attempt,
): Promise<Proof> {
  if (isVoid(challenge)) throw wrongCode(factor);
  if (factor.factor_type === 'phone') {
    const isRight = isApproved ?? secretsEqual(hashCode(factor.id, code), challenge.otp_code ?? '');
    if (!isRight) throw wrongCode(factor);
    return { usedCode: challenge.otp_code, statements: [] };
  }
  const secret = open(challenge.secret ?? '', context.keys.derive('mfa-secrets'), factor.id);
  const { stepOfCode } = await import('./totp.ts');
  const step = secret ? stepOfCode(secret, code, context.now()) : undefined;
  if (step === undefined) throw wrongCode(factor);
  const usedCode = `step:${step}`;
  if ((await tx.query(findUsedCode(factor.id, usedCode))).length > 0) throw wrongCode(factor);
  return { usedCode, statements: [] };
}

function wrongCode({ factor_type: type }: FactorRow) {
  const message = type === 'phone' ? { message: 'Invalid MFA Phone code entered' } : {};
  return failure('mfa_verification_failed', message);
}

/** Finds an earlier use of a code, which must not be accepted twice (RFC 6238 §5.2). Returns a row if there is one. */
function findUsedCode(factorId: string, code: string): Statement {
  return {
    name: 'auth_find_used_code',
    text: `select id from auth.mfa_challenges where factor_id = $1 and otp_code = $2 and verified_at is not null limit 1`,
    values: [factorId, code],
  };
}

function closeChallenge(id: string, usedCode: string | null, now: Date): Statement {
  return {
    name: 'auth_close_challenge',
    text: 'update auth.mfa_challenges set verified_at = $2, otp_code = $3, web_authn_session_data = null where id = $1',
    values: [id, now, usedCode],
  };
}

/** Verifies the factor and resets its count of failed attempts. */
function confirmFactor(id: string, now: Date): Statement {
  return {
    name: 'auth_confirm_factor',
    text: `update auth.mfa_factors set status = 'verified', failures = 0, failed_at = null,
        updated_at = case when status = 'unverified' then $2 else updated_at end
      where id = $1 and (status = 'unverified' or failures > 0)`,
    values: [id, now],
  };
}

/** Deletes unverified factors of the same type, and old challenges of this factor. */
function deleteUnverifiedFactors({ id, factor_type: type }: FactorRow, userId: string): Statement {
  return {
    name: 'auth_forget_other_factors',
    text: `with unanswered as (
        delete from auth.mfa_challenges where factor_id = $1 and created_at < now() - interval '1 day'
      )
      delete from auth.mfa_factors
      where user_id = $2 and id <> $1 and factor_type = $3 and status = 'unverified'`,
    values: [id, userId, type],
  };
}
