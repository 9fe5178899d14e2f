/**
 * Makes an account with an identity. Where its address counts at once, signs in to it in the same round trip; else
 * sends a code to confirm it with, and answers the user without a session.
 */
import { auditEntry } from '../audit.ts';
import type { AuthContext, AuthRequest, AuthResponse } from '../endpoint.ts';
import { failure } from '../errors.ts';
import { openSession } from '../session/open.ts';
import { answerWithSession } from '../session/response.ts';
import { findUserById } from '../user/find.ts';
import { toUser, type UserRow } from '../user.ts';
import { planConfirmation } from './confirmation.ts';
import { type NewAccount, newAccount } from './new-account.ts';
import type { Registration } from './registration.ts';

/** Makes an account. Throws PostgreSQL's error where the address is taken or a trigger refuses. */
export async function createAccount(
  context: AuthContext,
  request: AuthRequest,
  registration: Registration,
  passwordHash: string,
): Promise<AuthResponse> {
  const account = newAccount(registration, passwordHash, context);
  if (context.config.autoconfirm[registration.provider]) {
    return createAndSignIn(context, request, registration, account, passwordHash);
  }
  const confirmation = await planConfirmation(context, request, account.user, registration);
  const results = await context.database.batch([
    ...account.statements,
    ...confirmation,
    findUserById(account.user.id),
  ]);
  context.outbox.wake();
  return { status: 200, body: toUser(savedUser(results)) };
}

async function createAndSignIn(
  context: AuthContext,
  request: AuthRequest,
  { provider, channel: phoneChannel }: Registration,
  { user, statements }: NewAccount,
  passwordHash: string,
): Promise<AuthResponse> {
  const channel = provider === 'phone' ? { channel: phoneChannel ?? 'sms' } : {};
  const opening = openSession(context, request, {
    user: { id: user.id, encrypted_password: passwordHash },
    method: 'password',
    audit: [
      auditEntry(user, 'user_signedup', { provider, ...channel }),
      auditEntry(user, 'login', { provider }),
    ],
  });
  const results = await context.database.batch([
    ...statements,
    opening.statement,
    // Read back, because triggers may have changed it.
    findUserById(user.id),
  ]);
  return answerWithSession(context, { ...opening, user: savedUser(results) });
}

function savedUser(results: readonly unknown[][]): UserRow {
  const user = results.at(-1)?.[0] as UserRow | undefined;
  if (user !== undefined) return user;
  throw failure('unexpected_failure', { message: 'Database error saving new user' });
}
