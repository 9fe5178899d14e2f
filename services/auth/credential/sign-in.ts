/** POST /token?grant_type=password: signs in with an email address or phone number and a password. */
import { CatalogueError } from '@greenroom/errors';
import { z } from 'zod';
import { auditEntry } from '../audit/entry.ts';
import type { AuthContext } from '../context.ts';
import type { AuthRequest, AuthResponse } from '../contracts/request.ts';
import { failure } from '../errors.ts';
import { checkPasswordAttempt } from '../hooks/password-verification-attempt.ts';
import { parseBody, textField } from '../http/request-body.ts';
import { openSession } from '../session/open.ts';
import { type Grant, respondWithSession } from '../session/response.ts';
import { audienceOf } from '../user/audience.ts';
import { findUserByEmail, findUserByPhone } from '../user/find.ts';
import { normalisePhone } from '../user/phone-number.ts';
import { replaceHash } from '../user/update.ts';
import { isBanned, type UserRow } from '../user/user.ts';
import { weaknessOnSignIn } from './password/policy.ts';

const fields = z.object({ email: textField, phone: textField, password: textField });

/** The address and password of a sign-in. */
interface Attempt {
  provider: 'email' | 'phone';
  address: string;
  password: string;
}

/**
 * Signs in. An unknown address, an account without a password and a wrong password have the same response and duration.
 */
export async function signInWithPassword(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  const attempt = readAttempt(context, request);
  const now = context.now();
  return context.limits.guard(request, now, () => signIn(context, request, attempt), isWrongGuess);
}

async function signIn(context: AuthContext, request: AuthRequest, attempt: Attempt): Promise<AuthResponse> {
  const user = await requirePasswordOwner(context, request, attempt);
  requireUsable(user, attempt.provider, context.now());
  const audit = [auditEntry(user, 'login', { provider: attempt.provider })];
  const opening = openSession(context, request, { user, method: 'password', audit });
  // Equal to the row after the update, whose times have milliseconds.
  const { createdAt } = opening.session;
  const signedIn = { ...user, last_sign_in_at: createdAt, updated_at: createdAt };
  const signing = respondWithWeakness(context, request, { ...opening, user: signedIn }, attempt.password);
  // A hook can reject the token, so the session is only written after its response. Without a hook, signing and writing
  // run in parallel.
  if (context.hooks.isSet('customAccessToken')) await signing;
  const [response, opened] = await Promise.all([signing, context.database.query(opening.statement)]);
  const mustRehash = context.passwords.needsRehash(attempt.password, user.encrypted_password);
  if (opened.length === 0) {
    // A concurrent sign-in has replaced the same hash. That happens only once, so a retry succeeds.
    if (mustRehash) return signIn(context, request, attempt);
    // The password was changed or the account deleted during this sign-in.
    throw failure('invalid_credentials');
  }
  if (mustRehash) await rehash(context, request, user, attempt.password);
  return response;
}

/** Responds with the session, and with the weakness of the password under the current rules. */
async function respondWithWeakness(
  context: AuthContext,
  request: AuthRequest,
  grant: Grant,
  password: string,
): Promise<AuthResponse> {
  const weakPassword = await weaknessOnSignIn(password, context);
  return respondWithSession(context, request, { ...grant, weakPassword });
}

/** Replaces an imported or weak hash after the password was verified. */
async function rehash(
  { database, passwords }: AuthContext,
  request: AuthRequest,
  user: UserRow,
  password: string,
): Promise<void> {
  let passwordHash: string;
  try {
    passwordHash = await passwords.hash(password, request);
  } catch (error) {
    // The session is already open, so ignore the full queue. The next sign-in replaces the hash.
    if (error instanceof CatalogueError) return;
    throw error;
  }
  await database.query(replaceHash(user.id, user.encrypted_password ?? '', passwordHash));
}

function readAttempt({ config }: AuthContext, request: AuthRequest): Attempt {
  const { email, phone, password } = parseBody(request.body, fields);
  if (email !== '' && phone !== '') {
    const message = 'Only an email address or phone number should be provided on login.';
    throw failure('validation_failed', { message });
  }
  if (email !== '') {
    if (config.external.email) return { provider: 'email', address: email.toLowerCase(), password };
    throw failure('email_provider_disabled', { status: 422, message: 'Email logins are disabled' });
  }
  if (phone === '') throw failure('validation_failed', { message: 'missing email or phone' });
  if (config.external.phone) return { provider: 'phone', address: normalisePhone(phone), password };
  throw failure('phone_provider_disabled', { status: 422, message: 'Phone logins are disabled' });
}

async function requirePasswordOwner(
  context: AuthContext,
  request: AuthRequest,
  { provider, address, password }: Attempt,
): Promise<UserRow> {
  const audience = audienceOf(request, context.config);
  const find = provider === 'email' ? findUserByEmail : findUserByPhone;
  const [user] = await context.database.query<UserRow>(find(address, audience));
  const matches = await context.passwords.matches(password, user?.encrypted_password, request);
  const isReported = user !== undefined && !isBanned(user, context.now());
  await checkPasswordAttempt(context, request, isReported ? { user_id: user.id, valid: matches } : undefined);
  if (user === undefined || !matches) throw failure('invalid_credentials');
  return user;
}

/** Runs after the password was verified, because a ban would also reveal that there is an account. */
function requireUsable(user: UserRow, provider: Attempt['provider'], now: Date): void {
  if (isBanned(user, now)) throw failure('user_banned', { status: 400 });
  if (provider === 'email' && user.email_confirmed_at === null) throw failure('email_not_confirmed');
  if (provider === 'phone' && user.phone_confirmed_at === null) throw failure('phone_not_confirmed');
}

function isWrongGuess(error: unknown): boolean {
  return error instanceof CatalogueError && error.code === 'invalid_credentials';
}
