/**
 * Writes a new session and responds with it. Without a hook for access tokens, one flush writes everything and
 * the token is signed afterwards. With a hook, it runs before the commit, so a rejection leaves nothing
 * written.
 */
import type { Statement, Transaction } from '@greenroom/postgres';
import type { AuthContext } from '../context.ts';
import type { AuthRequest } from '../contracts/request.ts';
import { type Grant, respondWithSession, type SessionResponse } from './response.ts';

type Rows = Record<string, unknown>[];

/**
 * The statements to run, and a function that builds the grant from their results. `grantOf` throws if nothing
 * may be granted.
 */
interface PlannedGrant {
  statements: readonly Statement[];
  grantOf(results: Rows[]): Grant;
}

/** Grants a session in its own batch or transaction. */
export async function grantSession(
  context: AuthContext,
  request: AuthRequest,
  planned: PlannedGrant,
): Promise<SessionResponse> {
  if (context.hooks.isSet('customAccessToken')) {
    return context.hooks.transaction((tx) => grantWithin(tx, context, request, planned));
  }
  const results = await context.database.batch(planned.statements);
  return respondWithSession(context, request, planned.grantOf(results));
}

/** Grants a session as the last step of an open transaction and commits it. */
export async function grantWithin(
  tx: Transaction,
  context: AuthContext,
  request: AuthRequest,
  { statements, grantOf }: PlannedGrant,
): Promise<SessionResponse> {
  if (!context.hooks.isSet('customAccessToken')) {
    const results = await tx.commit(statements);
    return respondWithSession(context, request, grantOf(results));
  }
  const results = await tx.batch(statements);
  const response = await respondWithSession(context, request, grantOf(results), tx);
  await tx.commit();
  return response;
}
