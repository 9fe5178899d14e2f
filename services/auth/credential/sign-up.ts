/**
 * POST /signup: creates an account. With autoconfirm, the response has a session, and an address that is taken is
 * rejected. Otherwise a code is sent to confirm the address, and the response is the same for a taken address. A
 * request without email address and phone number creates an anonymous account.
 */
import { randomUUID } from 'node:crypto';
import { CatalogueError } from '@greenroom/errors';
import { z } from 'zod';
import { auditEntry } from '../audit/entry.ts';
import { writeAudit } from '../audit/write.ts';
import type { AuthContext } from '../context.ts';
import type { AuthRequest, AuthResponse } from '../contracts/request.ts';
import { failure } from '../errors.ts';
import { perform } from '../hooks/step.ts';
import { objectField, parseBody, textField } from '../http/request-body.ts';
import { violatedUniqueConstraint } from '../lib/database-error.ts';
import { countMessage } from '../one-time/count-message.ts';
import { wasSentRecently } from '../one-time/message-spacing.ts';
import { withMinimumDuration } from '../one-time/minimum-duration.ts';
import { requireSmsSender } from '../one-time/sms.ts';
import { grantSession } from '../session/grant.ts';
import { openSession } from '../session/open.ts';
import { audienceOf } from '../user/audience.ts';
import { findOwnerOfEmail, findUserById, findUserByPhone } from '../user/find.ts';
import { clearOneTimeTokens, confirmUser } from '../user/update.ts';
import { isBanned, toUser, type UserRow } from '../user/user.ts';
import { signUpAnonymously } from './sign-up/anonymous.ts';
import { planConfirmation } from './sign-up/confirmation.ts';
import { createAccount } from './sign-up/create-account.ts';
import { parseRegistration, type Registration } from './sign-up/registration.ts';

const fields = z.object({
  email: textField,
  phone: textField,
  password: textField,
  data: objectField,
  channel: textField,
  code_challenge: textField,
  code_challenge_method: textField,
});

/** The constraints that concurrent sign-ups with the same address violate. */
const ADDRESS_CONSTRAINTS = new Set(['users_email_partial_key', 'users_phone_key']);

/** Handles POST /signup. */
export async function signUp(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  const body = parseBody(request.body, fields);
  if (body.email === '' && body.phone === '') return signUpAnonymously(context, request, body.data ?? {});
  const now = context.now();
  context.limits.check('signup', request, now);
  const registration = await parseRegistration(body, context, audienceOf(request, context.config));
  const { provider, address } = registration;
  if (context.config.autoconfirm[provider]) {
    return context.limits.guard(request, now, () => register(context, request, registration), isTaken);
  }
  // Before the lookup, because the response must not reveal whether there is an account.
  if (provider === 'phone') requireSmsSender(context, address);
  context.limits.requireSpacing(provider, 'confirmation', address, now);
  countMessage(context, request, { channel: provider, recipient: address });
  return withMinimumDuration(() => register(context, request, registration));
}

async function register(
  context: AuthContext,
  request: AuthRequest,
  registration: Registration,
): Promise<AuthResponse> {
  const owner = await findOwner(context, registration);
  const { autoconfirm } = context.config;
  // Hashes the password for a taken address, too. Otherwise the duration would reveal the account.
  const mustHash = owner === undefined || !autoconfirm[registration.provider];
  const passwordHash = mustHash ? await context.passwords.hash(registration.password, request) : '';
  if (owner !== undefined) return handleExistingAddress(context, request, registration, owner);
  try {
    return await createAccount(context, request, registration, passwordHash);
  } catch (error) {
    if (!ADDRESS_CONSTRAINTS.has(violatedUniqueConstraint(error) ?? '')) throw translateSaveError(error);
  }
  // A concurrent request has created an account with the address.
  const winner = await findOwner(context, registration);
  if (winner === undefined) throw failure('user_already_exists');
  return handleExistingAddress(context, request, registration, winner);
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

/** Handles a sign-up whose address belongs to an account. */
async function handleExistingAddress(
  context: AuthContext,
  request: AuthRequest,
  registration: Registration,
  owner: UserRow,
): Promise<AuthResponse> {
  const { provider, address } = registration;
  const { autoconfirm } = context.config;
  if (autoconfirm[provider]) return claimAccount(context, request, registration, owner);
  if (owner.confirmed_at === null && owner[provider] === address) {
    return confirmAgain(context, request, registration, owner);
  }
  await auditRepeatedSignUp(context, request, registration, owner);
  if (autoconfirm.email || autoconfirm.phone) throw failure('user_already_exists');
  await context.hooks.simulateLatency('beforeUserCreated');
  await context.hooks.simulateLatency(provider === 'email' ? 'sendEmail' : 'sendSms');
  return { status: 200, body: toUser(decoy(registration, owner, context.now())) };
}

/** Resends only the message. The account, its data and its password stay unchanged. */
async function confirmAgain(
  context: AuthContext,
  request: AuthRequest,
  registration: Registration,
  owner: UserRow,
): Promise<AuthResponse> {
  if (!wasSentRecently(owner.confirmation_sent_at, registration.provider, context)) {
    await perform(context, request, await planConfirmation(context, request, owner, registration));
  } else {
    await context.hooks.simulateLatency(registration.provider === 'email' ? 'sendEmail' : 'sendSms');
  }
  const [user = owner] = await context.database.query<UserRow>(findUserById(owner.id));
  // The metadata of an invited user was written by an administrator, so it is not returned.
  const isInvited = user.invited_at !== null;
  return {
    status: 200,
    body: toUser(isInvited ? { ...user, raw_user_meta_data: {}, identities: [] } : user),
  };
}

/** The user object that a sign-up with a free address would return. */
function decoy({ provider, address, data }: Registration, { aud }: UserRow, now: Date): UserRow {
  const id = randomUUID();
  return {
    id,
    aud,
    role: '',
    email: provider === 'email' ? address : null,
    phone: provider === 'phone' ? address : null,
    is_sso_user: false,
    encrypted_password: null,
    email_confirmed_at: null,
    invited_at: null,
    phone_confirmed_at: null,
    confirmation_sent_at: now,
    confirmed_at: null,
    recovery_sent_at: null,
    email_change: null,
    email_change_sent_at: null,
    phone_change: null,
    phone_change_sent_at: null,
    reauthentication_sent_at: null,
    last_sign_in_at: null,
    raw_app_meta_data: { provider, providers: [provider] },
    raw_user_meta_data: data,
    created_at: now,
    updated_at: now,
    banned_until: null,
    deleted_at: null,
    is_anonymous: false,
    identities: [],
    factors: null,
  };
}

/**
 * Confirms an unconfirmed account and signs in to it. Its data and password stay unchanged. The password must match,
 * because an admin may have prepared the account, with its rights, for another person.
 */
async function claimAccount(
  context: AuthContext,
  request: AuthRequest,
  registration: Registration,
  owner: UserRow,
): Promise<AuthResponse> {
  const { provider, address, password } = registration;
  const now = context.now();
  const isUnused = owner.confirmed_at === null && owner[provider] === address && !isBanned(owner, now);
  if (!isUnused || !(await context.passwords.matches(password, owner.encrypted_password, request))) {
    await auditRepeatedSignUp(context, request, registration, owner);
    throw failure('user_already_exists');
  }
  const audit = [auditEntry(owner, 'user_signedup', { provider }), auditEntry(owner, 'login', { provider })];
  const opening = openSession(context, request, { user: owner, method: 'password', audit });
  return grantSession(context, request, {
    statements: [
      confirmUser(owner.id, provider, now),
      clearOneTimeTokens(owner.id),
      opening.statement,
      findUserById(owner.id),
    ],
    grantOf(results) {
      const user = results.at(-1)?.[0] as UserRow | undefined;
      if (user === undefined || results.at(-2)?.length === 0) throw failure('user_already_exists');
      return { ...opening, user };
    },
  });
}

async function auditRepeatedSignUp(
  context: AuthContext,
  request: AuthRequest,
  { provider }: Registration,
  owner: UserRow,
): Promise<void> {
  const entry = auditEntry(owner, 'user_repeated_signup', { provider });
  await context.database.batch(writeAudit(context, request, [entry]));
}

/** Keeps the database error as the cause, because clients with the older API version get the message of a trigger. */
function translateSaveError(error: unknown): unknown {
  if (error instanceof CatalogueError) return error;
  return failure('unexpected_failure', { message: 'Database error saving new user', cause: error });
}

function isTaken(error: unknown): boolean {
  return error instanceof CatalogueError && error.code === 'user_already_exists';
}
