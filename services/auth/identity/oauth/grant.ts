/** What an admission ends in: a session, or a mail to confirm an address with. */
import type { Statement, Transaction } from '@greenroom/postgres';
import { writeAudit } from '../../audit/write.ts';
import type { AuthContext } from '../../context.ts';
import type { AuthRequest } from '../../contracts/request.ts';
import { failure } from '../../errors.ts';
import type { ProviderTokens } from '../../flow-state/provider-tokens.ts';
import { performWithin, type Step } from '../../hooks/step.ts';
import { grantWithin } from '../../session/grant.ts';
import { openSession } from '../../session/open.ts';
import type { SessionAnswer } from '../../session/response.ts';
import { findUserById } from '../../user/find.ts';
import type { UserRow } from '../../user/user.ts';
import type { Admission } from './external-profile.ts';

/** How an admission ended. `undefined`: the address has to be confirmed first. */
export interface Ending {
  answer: SessionAnswer | undefined;
  admission: Admission;
}

/** Opens a session for who was admitted, and commits. @param more goes with it */
export async function grantAdmission(
  tx: Transaction,
  context: AuthContext,
  request: AuthRequest,
  admission: Admission,
  { more = [], tokens }: { more?: readonly Statement[]; tokens?: ProviderTokens } = {},
): Promise<Ending> {
  const { user, audit, outcome, steps } = admission;
  if (outcome === 'needs verification') {
    await commitWithoutSession(tx, context, request, admission);
    return { answer: undefined, admission };
  }
  const opening = openSession(context, request, { user, method: 'oauth', audit: [audit] });
  const answer = await grantWithin(tx, context, request, {
    statements: [...statementsOf(steps), ...more, opening.statement, findUserById(user.id)],
    grantOf(results) {
      const signedIn = results.at(-1)?.[0] as UserRow | undefined;
      if (signedIn === undefined || results.at(-2)?.length === 0) throw failure('user_not_found');
      return { ...opening, user: signedIn, providerTokens: tokens };
    },
  });
  return { answer, admission };
}

/** Commits an admission whose session comes later, or after a confirmation. @param more goes with it */
export async function commitWithoutSession(
  tx: Transaction,
  context: AuthContext,
  request: AuthRequest,
  { steps, audit }: Admission,
  more: readonly Statement[] = [],
): Promise<void> {
  await performWithin(tx, context, request, [...steps, ...more, ...writeAudit(context, request, [audit])]);
}

/** Who is admitted is sent nothing. */
function statementsOf(steps: readonly Step[]): Statement[] {
  return steps.filter((step): step is Statement => !('send' in step));
}
