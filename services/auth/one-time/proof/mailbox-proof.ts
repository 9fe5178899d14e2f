/**
 * Decides whether a link or code proves that the user owns an address. The first proof revokes the access of anyone who
 * used the account before.
 */
import type { Statement, Transaction } from '@greenroom/postgres';
import { type AuditActor, auditEntry } from '../../audit/entry.ts';
import { writeAudit } from '../../audit/write.ts';
import type { AuthContext } from '../../context.ts';
import type { AuthRequest } from '../../contracts/request.ts';
import type { TokenOwner } from '../statements.ts';
import { testCodeOf } from '../test-code.ts';
import type { TokenKind } from '../token-kind.ts';
import type { VerificationType } from '../verification-type.ts';
import { isOwnSession } from './own-session.ts';
import { lockForRevocation } from './revocation-lock.ts';
import {
  type AddressKind,
  findProofState,
  type ProofState,
  proveAddress,
  revokeOtherAccess,
} from './statements.ts';

/** A token that was accepted. */
interface AcceptedToken {
  owner: TokenOwner;
  kind: TokenKind;
  type: VerificationType;
}

/** The statements of a proof. `revocations` run before the effects of the token, `marks` after them. */
interface MailboxProof {
  revocations: (authCodeHash: string | undefined) => Statement[];
  /** Whether the password is deleted. */
  revokesPassword: boolean;
  marks: Statement[];
}

const NO_EFFECTS: MailboxProof = { revocations: () => [], revokesPassword: false, marks: [] };

/**
 * Plans a proof. Only the first proof revokes access, and only if the account could be used before. The confirmation of
 * a sign-up keeps the password that was chosen with it. A link that an administrator delivers revokes nothing.
 */
export async function planMailboxProof(
  tx: Transaction,
  context: AuthContext,
  request: AuthRequest,
  token: AcceptedToken,
): Promise<MailboxProof> {
  const { owner, kind } = token;
  const address = addressOf(token);
  const now = context.now();
  if (address === undefined || isTestNumber(context, token)) return NO_EFFECTS;
  const mark: MailboxProof = { ...NO_EFFECTS, marks: [proveAddress(owner.id, address, now)] };
  if (kind.endsWith('_change_token') || kind.startsWith('email_change')) return mark;
  const [state] = await tx.query<ProofState & Record<string, unknown>>(
    findProofState(owner.id, address, kind),
  );
  if (state === undefined || state.is_proven) return NO_EFFECTS;
  const isConfirmed = (address === 'email' ? owner.email_confirmed_at : owner.phone_confirmed_at) !== null;
  if (state.is_admin_link) return isConfirmed ? NO_EFFECTS : mark;
  if (!isConfirmed && kind === 'confirmation_token' && owner.invited_at === null) return mark;
  if (await isOwnSession(tx, context, request, owner.id)) return mark;
  for (const statement of lockForRevocation(owner.id)) await tx.query(statement);
  const audit = state.has_other_access ? auditRevocation(context, request, owner, address) : [];
  return {
    ...mark,
    revokesPassword: true,
    revocations: (authCodeHash) => [...revokeOtherAccess(owner.id, address, { authCodeHash }, now), ...audit],
  };
}

/** The audit entry of a first proof that revoked earlier access. */
export function auditRevocation(
  context: AuthContext,
  request: AuthRequest,
  owner: AuditActor,
  address: AddressKind,
): Statement[] {
  const traits = { reason: 'address_proven', address };
  return writeAudit(context, request, [auditEntry(owner, 'user_modified', traits)]);
}

/**
 * The address that a token proves. The link to the current mailbox can complete a change of address if the new address
 * needs no confirmation; it does not prove the new mailbox.
 */
function addressOf({ owner, kind, type }: AcceptedToken): AddressKind | undefined {
  switch (kind) {
    case 'email_change_token_current':
      return owner.email_change_confirm_status === 1 ? 'email' : undefined;
    case 'email_change_token_new':
      return 'email';
    case 'phone_change_token':
      return 'phone';
    default:
      return type === 'sms' ? 'phone' : 'email';
  }
}

/** Whether the number has a fixed test code, which does not prove that the user has the phone. */
function isTestNumber(context: AuthContext, { owner, kind, type }: AcceptedToken): boolean {
  const number = kind === 'phone_change_token' ? owner.phone_change : type === 'sms' ? owner.phone : null;
  return number !== null && testCodeOf(number, context) !== undefined;
}
