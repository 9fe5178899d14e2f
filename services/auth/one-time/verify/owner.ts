/** Finds and locks the owner of a link or code, and counts wrong codes. */
import { secretsEqual } from '@greenroom/keys';
import type { Transaction } from '@greenroom/postgres';
import type { AuthContext } from '../../context.ts';
import { failure } from '../../errors.ts';
import { findUserByPhone, findUserByPhoneChange } from '../../user/find.ts';
import type { UserRow } from '../../user/user.ts';
import { isOpen, isValidCode } from '../attempt.ts';
import { hashCode } from '../code.ts';
import { isPending } from '../pending.ts';
import {
  countWrongCode,
  type LockedToken,
  lockByLinkToken,
  lockCodesOf,
  lockUser,
  type TokenOwner,
} from '../statements.ts';
import { testCodeOf } from '../test-code.ts';
import type { TokenKind } from '../token-kind.ts';
import { isPhoneType, tokensOf, type VerificationType } from '../verification-type.ts';

/**
 * The token of a link, which is unique in all audiences, or a code and the address it was sent to. `isApproved` is set if the
 * provider of SMS has checked the code.
 */
export type Proof =
  | { by: 'link'; token: string }
  | { by: 'code'; address: string; code: string; audience: string; isApproved?: boolean | undefined };

/** The type of a verification and its proof. */
export interface ProofOfAddress {
  type: VerificationType;
  proof: Proof;
}

/** A locked account and the kind of the token that was presented. */
interface ProvenOwner {
  owner: TokenOwner;
  kind: TokenKind;
}

/**
 * Locks the owner of a proof. Throws the same `otp_expired` for a proof that is wrong, used, void or expired, and for
 * an address without an account. Commits the count of a wrong code, which ends the transaction.
 */
export async function lockOwner(
  tx: Transaction,
  context: AuthContext,
  { type, proof }: ProofOfAddress,
): Promise<ProvenOwner> {
  const byTestCode = await lockByTestCode(tx, context, type, proof);
  if (byTestCode !== undefined) return byTestCode;
  const locked =
    proof.by === 'link' ? await lockLink(tx, type, proof) : await lockCode(tx, context, type, proof);
  if (locked === undefined) throw wrongProof(proof);
  // The provider knows when its codes expire.
  const isApproved = proof.by === 'code' && proof.isApproved === true;
  if (!isApproved && !isPending(locked, isPhoneType(type) ? 'phone' : 'email', context))
    throw wrongProof(proof);
  return { owner: locked, kind: locked.kind };
}

/** The same error for every reason, so that it reveals nothing. */
export function wrongProof({ by }: Proof) {
  const message = by === 'link' ? 'Email link is invalid or has expired' : 'Token has expired or is invalid';
  return failure('otp_expired', { message });
}

async function lockLink(
  tx: Transaction,
  type: VerificationType,
  { token }: Extract<Proof, { by: 'link' }>,
): Promise<LockedToken | undefined> {
  const [locked] = await tx.query<LockedToken>(lockByLinkToken(token, tokensOf(type)));
  return locked;
}

async function lockCode(
  tx: Transaction,
  { now }: AuthContext,
  type: VerificationType,
  proof: Extract<Proof, { by: 'code' }>,
): Promise<LockedToken | undefined> {
  const { address, code, audience, isApproved } = proof;
  const waiting = await tx.query<LockedToken>(lockCodesOf(address, tokensOf(type), audience));
  const at = now();
  if (isApproved === true) return onlyOne(waiting.filter((locked) => isOpen(locked, at)));
  const hash = hashCode(address, code);
  const right =
    isApproved === undefined ? waiting.find((locked) => isValidCode(locked, hash, at)) : undefined;
  if (right === undefined && waiting.length > 0) {
    const ids = waiting.map(({ token_id }) => token_id);
    await tx.commit([countWrongCode(ids, at)]);
  }
  return right;
}

/**
 * The provider approves a number, not the request of an account. If several accounts have requested the number, the code may
 * be that of another account.
 */
function onlyOne(waiting: readonly LockedToken[]): LockedToken | undefined {
  return waiting.length === 1 ? waiting[0] : undefined;
}

async function lockByTestCode(
  tx: Transaction,
  context: AuthContext,
  type: VerificationType,
  proof: Proof,
): Promise<ProvenOwner | undefined> {
  if (proof.by === 'link' || !isPhoneType(type)) return undefined;
  const fixed = testCodeOf(proof.address, context);
  if (fixed === undefined || !secretsEqual(fixed, proof.code)) return undefined;
  const find = type === 'phone_change' ? findUserByPhoneChange : findUserByPhone;
  const [user] = await tx.query<UserRow>(find(proof.address, proof.audience));
  const [owner] = user === undefined ? [] : await tx.query<TokenOwner>(lockUser(user.id));
  const kind = type === 'phone_change' ? 'phone_change_token' : 'confirmation_token';
  return owner && { owner, kind };
}
