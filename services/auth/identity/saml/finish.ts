/**
 * Finishes a single sign-on in one transaction: uses the assertion up, finds or makes the account, and opens a session or
 * gives the flow its code.
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
import { brokenUniqueConstraint } from '../../lib/database-error.ts';
import { grantWithin } from '../../session/grant.ts';
import { openSession } from '../../session/open.ts';
import type { SessionAnswer } from '../../session/response.ts';
import { findUserById } from '../../user/find.ts';
import type { NewUser } from '../../user/insert.ts';
import { isBanned, type UserRow } from '../../user/user.ts';
import { type Account, planAccount } from './account.ts';
import { providerName } from './provider.ts';
import type { VerifiedSignIn } from './verified-sign-in.ts';

/** Broken where the same person signs in twice at once for the first time. */
const IDENTITY_CONSTRAINT = 'identities_provider_id_provider_unique';

/** What came of it: a session, or a code to exchange for one. */
export type Finished = { answer: SessionAnswer } | { code: string };

/** Throws `validation_failed` for an assertion that was used, `signup_disabled`, `user_banned`, `flow_state_not_found`. */
export async function finishSignIn(
  context: AuthContext,
  request: AuthRequest,
  signIn: VerifiedSignIn,
): Promise<Finished> {
  const { finished, newUserId } = await withApproval(context, request, (approved) => {
    const run = () => context.hooks.transaction((tx) => finish(tx, context, request, signIn, approved));
    return run().catch((error: unknown) => {
      if (brokenUniqueConstraint(error) !== IDENTITY_CONSTRAINT) throw error;
      return run();
    });
  });
  if (newUserId !== undefined && context.hooks.isSet('afterUserCreated')) {
    const [user] = await context.database.query<UserRow>(findUserById(newUserId));
    await afterUserCreated(context, request, user);
  }
  return finished;
}

/** `newUserId` where the account was made just now. */
interface Ending {
  finished: Finished;
  newUserId: string | undefined;
}

async function finish(
  tx: Transaction,
  context: AuthContext,
  request: AuthRequest,
  signIn: VerifiedSignIn,
  approved: NewUser | undefined,
): Promise<Ending | ApprovalRequired> {
  const now = context.now();
  const used = await tx.query(useAssertion(signIn));
  if (used.length === 0) {
    throw failure('validation_failed', { message: 'SAML Assertion is not valid: it was used before' });
  }
  const account = await planAccount(tx, context, request, signIn, approved);
  if (isApprovalRequired(account)) {
    await tx.rollback();
    return account;
  }
  if (isBanned(account, now)) throw failure('user_banned');
  const statements = [forgetAssertions(now), ...account.statements];
  const newUserId = account.isNew ? account.id : undefined;
  if (signIn.flowId !== undefined) {
    const finished = await finishFlow(tx, context, request, signIn.flowId, account, statements);
    return { finished, newUserId };
  }
  const name = providerName(signIn.provider);
  const opening = openSession(context, request, {
    user: account,
    method: 'sso/saml',
    audit: [...account.audit, auditEntry(account, 'login', { provider: name })],
    notAfter: signIn.assertion.sessionNotAfter,
  });
  const answer = await grantWithin(tx, context, request, {
    statements: [...statements, opening.statement, findUserById(account.id)],
    grantOf(results) {
      const user = results.at(-1)?.[0] as UserRow | undefined;
      if (user === undefined || results.at(-2)?.length === 0) throw failure('unexpected_failure');
      return { ...opening, user };
    },
  });
  return { finished: { answer }, newUserId };
}

/** The exchange of the code signs in, and says so in the audit log. */
async function finishFlow(
  tx: Transaction,
  context: AuthContext,
  request: AuthRequest,
  flowId: string,
  account: Account,
  statements: readonly Statement[],
): Promise<Finished> {
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

/** Answers a row, or none where the assertion was used before. Only the provider itself can have said it. */
function useAssertion({ provider, assertion, flowId }: VerifiedSignIn): Statement {
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

/** Too old to be believed, and no flow needs to know any more when its session is to end. */
function forgetAssertions(now: Date): Statement {
  return {
    name: 'auth_forget_assertions',
    text: `delete from auth.saml_assertions where assertion_hash in (
      select assertion_hash from auth.saml_assertions where expires_at < $1 and flow_state_id is null
      order by expires_at limit 100 for update skip locked)`,
    values: [now],
  };
}
