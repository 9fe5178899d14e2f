/**
 * Writes what opens a session, and answers it. Without a hook for access tokens, one flush, and the token is signed
 * afterwards; with one, the hook is asked in between, so that nothing was written where it refuses.
 */
import type { Statement, Transaction } from '@greenroom/postgres';
import type { AuthContext } from '../context.ts';
import type { AuthRequest } from '../contracts/request.ts';
import { answerWithSession, type Grant, type SessionAnswer } from './response.ts';

type Rows = Record<string, unknown>[];

/** What is written, and what is granted by what the statements answered; throws where that is nothing. */
interface PlannedGrant {
  statements: readonly Statement[];
  grantOf(results: Rows[]): Grant;
}

/** Grants a session with statements of their own. */
export async function grantSession(
  context: AuthContext,
  request: AuthRequest,
  planned: PlannedGrant,
): Promise<SessionAnswer> {
  if (context.hooks.isSet('customAccessToken')) {
    return context.hooks.transaction((tx) => grantWithin(tx, context, request, planned));
  }
  const results = await context.database.batch(planned.statements);
  return answerWithSession(context, request, planned.grantOf(results));
}

/** Grants a session at the end of a transaction, and commits it. */
export async function grantWithin(
  tx: Transaction,
  context: AuthContext,
  request: AuthRequest,
  { statements, grantOf }: PlannedGrant,
): Promise<SessionAnswer> {
  if (!context.hooks.isSet('customAccessToken')) {
    const results = await tx.commit(statements);
    return answerWithSession(context, request, grantOf(results));
  }
  const results = await tx.batch(statements);
  const answer = await answerWithSession(context, request, grantOf(results), tx);
  await tx.commit();
  return answer;
}
