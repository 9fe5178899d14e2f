/**
 * Completes an SSO sign-in in one transaction: marks the assertion as used, finds or creates the account, and
 * opens a session or issues the flow's code.
 */
import { createHash } from 'node:crypto';
import type { Statement, Transaction } from '@greenroom/postgres';
import { auditEntry } from '../../audit/entry.ts';
import { writeAudit } from '../../audit/write.ts';
import type { AuthContext } from '../../context.ts';
import type { AuthRequest } from '../../contracts/request.ts';
import { failure } from '../../errors.ts';
import { hashAuthCode, newAuthCode } from '../../flow-state/statements.ts';
import { afterUserCreated } from '../../hooks/after-user-created.ts';
import { type ApprovalRequired, isApprovalRequired, withApproval } from '../../hooks/approval.ts';
import { violatedUniqueConstraint } from '../../lib/database-error.ts';
import { grantWithin } from '../../session/grant.ts';
import { openSession } from '../../session/open.ts';
import type { SessionResponse } from '../../session/response.ts';
import { findUserById } from '../../user/find.ts';
import type { NewUser } from '../../user/insert.ts';
import { isBanned, type UserRow } from '../../user/user.ts';
import { type Account, planAccount } from './account.ts';
import { providerName } from './provider.ts';
import type { VerifiedSignIn } from './verified-sign-in.ts';

/** Violated if the same user's first sign-in runs twice concurrently. */
const IDENTITY_CONSTRAINT = 'identities_provider_id_provider_unique';

/** The result of a sign-in: a session, or a code to exchange for one. */
export type SignInResult = { response: SessionResponse } | { code: string };

/** Throws `validation_failed` for a used assertion, `signup_disabled`, `user_banned`, `flow_state_not_found`. */
export async function finishSignIn(
  context: AuthContext,
  request: AuthRequest,
  signIn: VerifiedSignIn,
): Promise<SignInResult> {
  const { result, newUserId } = await withApproval(context, request, (approved) => {
    const run = () => context.hooks.transaction((tx) => finish(tx, context, request, signIn, approved));
    return run().catch((error: unknown) => {
      if (violatedUniqueConstraint(error) !== IDENTITY_CONSTRAINT) throw error;
      return run();
    });
  });
  if (newUserId !== undefined && context.hooks.isSet('afterUserCreated')) {
    const [user] = await context.database.query<UserRow>(findUserById(newUserId));
    await afterUserCreated(context, request, user);
  }
  return result;
}

/** `newUserId` is set if the account was just created. */
interface CompletedSignIn {
  result: SignInResult;
  newUserId: string | undefined;
}

async function finish(
  tx: Transaction,
  context: AuthContext,
  request: AuthRequest,
  signIn: VerifiedSignIn,
  approved: NewUser | undefined,
): Promise<CompletedSignIn | ApprovalRequired> {
  const now = context.now();
  const used = await tx.query(markAssertionUsed(signIn));
  if (used.length === 0) {
    throw failure('validation_failed', { message: 'SAML Assertion is not valid: it was used before' });
  }
  const account = await planAccount(tx, context, request, signIn, approved);
  if (isApprovalRequired(account)) {
    await tx.rollback();
    return account;
  }
  if (isBanned(account, now)) throw failure('user_banned');
  const statements = [deleteExpiredAssertions(now), ...account.statements];
  const newUserId = account.isNew ? account.id : undefined;
  if (signIn.flowId !== undefined) {
    const result = await finishFlow(tx, context, request, signIn.flowId, account, statements);
    return { result, newUserId };
  }
  const name = providerName(signIn.provider);
  const planned = openSession(context, request, {
    user: account,
    method: 'sso/saml',
    audit: [...account.audit, auditEntry(account, 'login', { provider: name })],
    notAfter: signIn.assertion.sessionNotAfter,
  });
  const response = await grantWithin(tx, context, request, {
    statements: [...statements, planned.statement, findUserById(account.id)],
    grantOf(results) {
      const user = results.at(-1)?.[0] as UserRow | undefined;
      if (user === undefined || results.at(-2)?.length === 0) throw failure('unexpected_failure');
      return { ...planned, user };
    },
  });
  return { result: { response }, newUserId };
}

/** No audit entry for the sign-in here: the exchange of the code writes it. */
async function finishFlow(
  tx: Transaction,
  context: AuthContext,
  request: AuthRequest,
  flowId: string,
  account: Account,
  statements: readonly Statement[],
): Promise<SignInResult> {
  const code = newAuthCode();
  const now = context.now();
  for (const statement of statements) await tx.query(statement);
  const issued = await tx.query({
    name: 'auth_issue_sso_code',
    text: `update auth.flow_state set user_id = $2, auth_code = $3, auth_code_issued_at = $4, updated_at = $4
      where id = $1 and auth_code is null returning id`,
    values: [flowId, account.id, hashAuthCode(code), now],
  });
  if (issued.length === 0) throw failure('flow_state_not_found');
  await tx.commit(writeAudit(context, request, account.audit));
  return { code };
}

/**
 * Records an assertion as used. Returns one row, or none if it was used before. The hash covers the provider,
 * since assertion ids are only unique per provider.
 */
function markAssertionUsed({ provider, assertion, flowId }: VerifiedSignIn): Statement {
  const hash = createHash('sha256').update(`${provider.id} ${assertion.id}`).digest('hex');
  return {
    name: 'auth_use_assertion',
    text: `insert into auth.saml_assertions
        (assertion_hash, sso_provider_id, expires_at, flow_state_id, session_not_after)
      values ($1, $2, $3, $4, $5)
      on conflict (assertion_hash) do nothing returning assertion_hash`,
    values: [hash, provider.id, assertion.expiresAt, flowId ?? null, assertion.sessionNotAfter ?? null],
  };
}

/** Deletes records of expired assertions, unless a pending flow still needs the session end stored with them. */
function deleteExpiredAssertions(now: Date): Statement {
  return {
    name: 'auth_forget_assertions',
    text: `delete from auth.saml_assertions where assertion_hash in (
      select assertion_hash from auth.saml_assertions where expires_at < $1 and flow_state_id is null
      order by expires_at limit 100 for update skip locked)`,
    values: [now],
  };
}
