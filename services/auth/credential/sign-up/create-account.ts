/**
 * Creates an account with an identity. With autoconfirm, also signs in, in the same round trip. Otherwise sends a code
 * to confirm the address and responds with the user, without a session.
 */
import { auditEntry } from '../../audit/entry.ts';
import type { AuthContext } from '../../context.ts';
import type { AuthRequest, AuthResponse } from '../../contracts/request.ts';
import { failure } from '../../errors.ts';
import { afterUserCreated } from '../../hooks/after-user-created.ts';
import { beforeUserCreated } from '../../hooks/before-user-created.ts';
import { perform } from '../../hooks/step.ts';
import { grantSession } from '../../session/grant.ts';
import { openSession } from '../../session/open.ts';
import { findUserById } from '../../user/find.ts';
import { toUser, type UserRow } from '../../user/user.ts';
import { planConfirmation } from './confirmation.ts';
import { type NewAccount, newAccount } from './new-account.ts';
import type { Registration } from './registration.ts';

/** Creates an account. Throws PostgreSQL's error if the address is taken or a trigger raises an exception. */
export async function createAccount(
  context: AuthContext,
  request: AuthRequest,
  registration: Registration,
  passwordHash: string,
): Promise<AuthResponse> {
  const account = newAccount(registration, passwordHash, context);
  await beforeUserCreated(context, request, account.user);
  if (context.config.autoconfirm[registration.provider]) {
    return createAndSignIn(context, request, registration, account, passwordHash);
  }
  const confirmation = await planConfirmation(context, request, account.user, registration);
  const results = await perform(context, request, [
    ...account.statements,
    ...confirmation,
    findUserById(account.user.id),
  ]);
  const user = savedUser(results);
  await afterUserCreated(context, request, user);
  return { status: 200, body: toUser(user) };
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
  let saved: UserRow | undefined;
  const response = await grantSession(context, request, {
    // Reads the user back, because triggers may have changed the row.
    statements: [...statements, opening.statement, findUserById(user.id)],
    grantOf(results) {
      saved = savedUser(results);
      return { ...opening, user: saved };
    },
  });
  await afterUserCreated(context, request, saved);
  return response;
}

function savedUser(results: readonly unknown[][]): UserRow {
  const user = results.at(-1)?.[0] as UserRow | undefined;
  if (user !== undefined) return user;
  throw failure('unexpected_failure', { message: 'Database error saving new user' });
}
