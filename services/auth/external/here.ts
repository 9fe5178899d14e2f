/** Signs in who has proved who they are with the request itself, without a way through a provider's pages. */
import type { Transaction } from '@greenroom/postgres';
import { writeAudit } from '../audit/write.ts';
import type { AuthContext, AuthRequest, AuthResponse } from '../endpoint.ts';
import { failure } from '../errors.ts';
import { openSession } from '../session/open.ts';
import { answerWithSession, type Grant } from '../session/response.ts';
import { findUserById } from '../user/find.ts';
import type { UserRow } from '../user.ts';
import { type Arrival, admit } from './admission.ts';
import { link } from './link.ts';
import { twice } from './twice.ts';

/**
 * Answers with a session. Throws what {@link admit} and {@link link} do, and `provider_email_needs_verification`.
 * @param linkTo id of the user whose account the identity is added to
 */
export async function signInHere(
  context: AuthContext,
  request: AuthRequest,
  arrival: Arrival,
  linkTo: string | null,
): Promise<AuthResponse> {
  const grant = await twice(() =>
    context.database.transaction((tx) => complete(tx, context, request, arrival, linkTo)),
  );
  context.outbox.wake();
  if (grant === undefined) throw needsVerification(arrival.provider);
  return answerWithSession(context, grant);
}

/** Undefined where the address has to be confirmed first. */
async function complete(
  tx: Transaction,
  context: AuthContext,
  request: AuthRequest,
  arrival: Arrival,
  linkTo: string | null,
): Promise<Grant | undefined> {
  const admission =
    linkTo === null
      ? await admit(tx, context, request, arrival)
      : await link(tx, context, request, arrival, linkTo);
  const { user, audit, outcome, statements } = admission;
  if (outcome === 'needs verification') {
    await tx.commit([...statements, ...writeAudit(context, request, [audit])]);
    return undefined;
  }
  const opening = openSession(context, request, { user, method: 'oauth', audit: [audit] });
  const results = await tx.commit([...statements, opening.statement, findUserById(user.id)]);
  const signedIn = results.at(-1)?.[0] as UserRow | undefined;
  if (signedIn === undefined || results.at(-2)?.length === 0) throw failure('user_not_found');
  return { ...opening, user: signedIn };
}

/** The provider does not vouch for the address; a mail was sent to it. */
export function needsVerification(provider: string) {
  const message = `Unverified email with ${provider}. A confirmation email has been sent to your ${provider} email`;
  return failure('provider_email_needs_verification', { message });
}
