/**
 * POST /signup: makes an account and signs in to it. Addresses count as confirmed at once, so an address that
 * is taken is said to be; who has neither address nor number signs up anonymously.
 */
import { CatalogueError } from '@greenroom/errors';
import { z } from 'zod';
import { audienceOf } from './audience.ts';
import { writeAudit } from './audit/write.ts';
import { auditEntry } from './audit.ts';
import { brokenUniqueConstraint } from './database-error.ts';
import type { AuthContext, AuthRequest, AuthResponse } from './endpoint.ts';
import { failure } from './errors.ts';
import { passwordMatches } from './password/hash.ts';
import { objectField, parseBody, textField } from './request-body.ts';
import { openSession } from './session/open.ts';
import { answerWithSession } from './session/response.ts';
import { signUpAnonymously } from './sign-up/anonymous.ts';
import { createAccount } from './sign-up/create-account.ts';
import { parseRegistration, type Registration } from './sign-up/registration.ts';
import { findOwnerOfEmail, findUserById, findUserByPhone } from './user/find.ts';
import { clearOneTimeTokens, confirmUser } from './user/update.ts';
import { isBanned, type UserRow } from './user.ts';

const fields = z.object({
  email: textField,
  phone: textField,
  password: textField,
  data: objectField,
  channel: textField,
  code_challenge: textField,
  code_challenge_method: textField,
});

/** The constraints that two sign-ups with one address run into. */
const ADDRESS_CONSTRAINTS = new Set(['users_email_partial_key', 'users_phone_key']);

/** Signs up. */
export async function signUp(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  const body = parseBody(request.body, fields);
  if (body.email === '' && body.phone === '') return signUpAnonymously(context, request, body.data ?? {});
  const now = context.now();
  context.limits.check('signup', request, now);
  const registration = parseRegistration(body, context.config, audienceOf(request, context.config));
  return context.limits.guard(request, now, () => register(context, request, registration), isTaken);
}

async function register(
  context: AuthContext,
  request: AuthRequest,
  registration: Registration,
): Promise<AuthResponse> {
  const owner = await findOwner(context, registration);
  if (owner !== undefined) return adoptAccount(context, request, registration, owner);
  try {
    return await createAccount(context, request, registration);
  } catch (error) {
    if (!ADDRESS_CONSTRAINTS.has(brokenUniqueConstraint(error) ?? '')) throw unsaved(error);
  }
  // Somebody was faster with the same address: now there is an owner.
  const winner = await findOwner(context, registration);
  if (winner === undefined) throw failure('user_already_exists');
  return adoptAccount(context, request, registration, winner);
}

async function findOwner(
  { database }: AuthContext,
  registration: Registration,
): Promise<UserRow | undefined> {
  const { provider, address, audience } = registration;
  const find = provider === 'email' ? findOwnerOfEmail : findUserByPhone;
  const [owner] = await database.query<UserRow>(find(address, audience));
  return owner;
}

/**
 * An account that was never confirmed is confirmed and signed in to, its data and password left as they are.
 * Only for its password, though: an admin may have prepared the account, with rights, for somebody else.
 */
async function adoptAccount(
  context: AuthContext,
  request: AuthRequest,
  { provider, address, password }: Registration,
  owner: UserRow,
): Promise<AuthResponse> {
  const { database } = context;
  const now = context.now();
  const isUnused = owner.confirmed_at === null && owner[provider] === address && !isBanned(owner, now);
  if (!isUnused || !(await passwordMatches(password, owner.encrypted_password))) {
    const entry = auditEntry(owner, 'user_repeated_signup', { provider });
    await database.batch(writeAudit(context, request, [entry]));
    throw failure('user_already_exists');
  }
  const audit = [auditEntry(owner, 'user_signedup', { provider }), auditEntry(owner, 'login', { provider })];
  const opening = openSession(context, request, { user: owner, method: 'password', audit });
  const results = await database.batch([
    confirmUser(owner.id, provider, now),
    clearOneTimeTokens(owner.id),
    opening.statement,
    findUserById(owner.id),
  ]);
  const user = results.at(-1)?.[0] as UserRow | undefined;
  if (user === undefined || results.at(-2)?.length === 0) throw failure('user_already_exists');
  return answerWithSession(context, { ...opening, user });
}

/** What a trigger raised stays the cause: clients of the older error shape are told it. */
function unsaved(error: unknown): unknown {
  if (error instanceof CatalogueError) return error;
  return failure('unexpected_failure', { message: 'Database error saving new user', cause: error });
}

function isTaken(error: unknown): boolean {
  return error instanceof CatalogueError && error.code === 'user_already_exists';
}
