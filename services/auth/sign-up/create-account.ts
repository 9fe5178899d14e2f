/**
 * Makes a confirmed account with an identity, and signs in to it, in one round trip after the password is
 * hashed.
 */
import { randomUUID } from 'node:crypto';
import { auditEntry } from '../audit.ts';
import type { AuthContext, AuthRequest, AuthResponse } from '../endpoint.ts';
import { failure } from '../errors.ts';
import type { IdentityData } from '../identity.ts';
import { hashPassword } from '../password/hash.ts';
import { openSession } from '../session/open.ts';
import { answerWithSession } from '../session/response.ts';
import { findUserById } from '../user/find.ts';
import { insertIdentity, insertUser, type NewUser } from '../user/insert.ts';
import { adoptIdentity, confirmUser } from '../user/update.ts';
import type { UserRow } from '../user.ts';
import type { Registration } from './registration.ts';

/** Makes an account. Throws PostgreSQL's error where the address is taken or a trigger refuses. */
export async function createAccount(
  context: AuthContext,
  request: AuthRequest,
  registration: Registration,
): Promise<AuthResponse> {
  const passwordHash = await hashPassword(registration.password);
  const now = context.now();
  const { provider } = registration;
  const user = newUser(registration, passwordHash, context.config.jwt.defaultRole);
  const data = identityDataOf(registration, user.id);
  const opening = openSession(context, request, {
    user: { id: user.id, encrypted_password: passwordHash },
    method: 'password',
    audit: auditOf(user, registration),
  });
  const results = await context.database.batch([
    insertUser(user, now),
    insertIdentity({ userId: user.id, provider, data }, now),
    adoptIdentity(user.id, { ...registration.data, ...data }, provider, now),
    confirmUser(user.id, provider, now),
    opening.statement,
    // Read back, because triggers may have changed it.
    findUserById(user.id),
  ]);
  const row = results.at(-1)?.[0] as UserRow | undefined;
  if (row === undefined) throw failure('unexpected_failure', { message: 'Database error saving new user' });
  return answerWithSession(context, { ...opening, user: row });
}

function newUser(
  { provider, address, audience, data }: Registration,
  passwordHash: string,
  role: string,
): NewUser {
  return {
    id: randomUUID(),
    aud: audience,
    role,
    email: provider === 'email' ? address : null,
    phone: provider === 'phone' ? address : null,
    passwordHash,
    appMetadata: { provider, providers: [provider] },
    userMetadata: data,
    isAnonymous: false,
  };
}

/**
 * What was submitted, and over it what we know. An identity's `email` says whose address it is, so one that
 * was only submitted along with a phone number stays out: it would take that address from its owner.
 */
function identityDataOf({ provider, address, data }: Registration, userId: string): IdentityData {
  const { email: _unproven, ...rest } = data;
  return { ...rest, sub: userId, [provider]: address, email_verified: false, phone_verified: false };
}

function auditOf(user: NewUser, { provider, data }: Registration) {
  const actor = { ...user, is_sso_user: false, raw_user_meta_data: data };
  const channel = provider === 'phone' ? { channel: 'sms' } : {};
  return [
    auditEntry(actor, 'user_signedup', { provider, ...channel }),
    auditEntry(actor, 'login', { provider }),
  ];
}
