/** Completes a sign-in at a provider: opens a session, or commits a mail that confirms the address. */
import type { Statement, Transaction } from '@greenroom/postgres';
import { writeAudit } from '../../audit/write.ts';
import type { AuthContext } from '../../context.ts';
import type { AuthRequest } from '../../contracts/request.ts';
import { failure } from '../../errors.ts';
import type { ProviderTokens } from '../../flow-state/provider-tokens.ts';
import { performWithin, type Step } from '../../hooks/step.ts';
import { grantWithin } from '../../session/grant.ts';
import { openSession } from '../../session/open.ts';
import type { SessionResponse } from '../../session/response.ts';
import { findUserById } from '../../user/find.ts';
import type { UserRow } from '../../user/user.ts';
import type { MatchedAccount } from './external-profile.ts';

/** The result of a sign-in. `response` is undefined if the session follows later. */
export interface SignInResult {
  response: SessionResponse | undefined;
  account: MatchedAccount;
}

/** Opens a session for the account and commits. @param more further statements to commit */
export async function completeSignIn(
  tx: Transaction,
  context: AuthContext,
  request: AuthRequest,
  account: MatchedAccount,
  { more = [], tokens }: { more?: readonly Statement[]; tokens?: ProviderTokens } = {},
): Promise<SignInResult> {
  const { user, audit, outcome, steps } = account;
  if (outcome === 'needs verification') {
    await commitWithoutSession(tx, context, request, account);
    return { response: undefined, account };
  }
  const planned = openSession(context, request, { user, method: 'oauth', audit: [audit] });
  const response = await grantWithin(tx, context, request, {
    statements: [...statementsOf(steps), ...more, planned.statement, findUserById(user.id)],
    grantOf(results) {
      const signedIn = results.at(-1)?.[0] as UserRow | undefined;
      if (signedIn === undefined || results.at(-2)?.length === 0) throw failure('user_not_found');
      return { ...planned, user: signedIn, providerTokens: tokens };
    },
  });
  return { response, account };
}

/** Commits a sign-in whose session is opened later. @param more further statements to commit */
export async function commitWithoutSession(
  tx: Transaction,
  context: AuthContext,
  request: AuthRequest,
  { steps, audit }: MatchedAccount,
  more: readonly Statement[] = [],
): Promise<void> {
  await performWithin(tx, context, request, [...steps, ...more, ...writeAudit(context, request, [audit])]);
}

/** An accepted sign-in has no steps that send messages. */
function statementsOf(steps: readonly Step[]): Statement[] {
  return steps.filter((step): step is Statement => !('send' in step));
}
