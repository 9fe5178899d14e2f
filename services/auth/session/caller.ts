/** Who is calling: bearer token → verified claims → user and session as they are now. */
import { JwtError } from '@greenroom/keys';
import type { Statement } from '@greenroom/postgres';
import type { AuthContext } from '../context.ts';
import type { AuthRequest } from '../contracts/request.ts';
import { failure } from '../errors.ts';
import { isUuid } from '../http/uuid.ts';
import { isDatabaseError } from '../lib/database-error.ts';
import { NIL_UUID } from '../user/find.ts';
import { hasVerifiedFactor, isBanned, type UserRow, userColumns } from '../user/user.ts';
import { hasShownTwoFactors, reachableLevel, type SessionRow, sessionAsJson } from './session.ts';
import { expiryOf } from './validity.ts';

/** Verified claims; what they mean is not checked yet. */
export type Claims = Record<string, unknown>;

/** A signed-in user. Tokens made elsewhere may name no session. */
export interface Caller {
  claims: Claims;
  user: UserRow;
  session: SessionRow | undefined;
}

/**
 * Requires a signed-in user whose session is still there: signing out makes an unexpired token useless here.
 * Throws `no_authorization` (also for applications), `bad_jwt`, `user_not_found`, `session_not_found`, `user_banned`.
 */
export async function requireCaller(context: AuthContext, request: AuthRequest): Promise<Caller> {
  const caller = await requireCallerOrApplication(context, request);
  if (isApplication(caller)) throw noManagement();
  return caller;
}

/** As {@link requireCaller}, and an application to which the user has signed in with their account here may call, too. */
export async function requireCallerOrApplication(
  context: AuthContext,
  request: AuthRequest,
): Promise<Caller> {
  return requireUnbanned(context, await loadCaller(context, await requireClaims(context, request)));
}

/**
 * Requires two factors of a user with a verified second factor: their password alone must not be enough for this. Throws
 * `insufficient_aal`.
 */
export function requireSecondFactor(
  { user, session }: Pick<Caller, 'user' | 'session'>,
  status: 401 | 403,
  message: string,
): void {
  if (!hasVerifiedFactor(user) || hasShownTwoFactors(session)) return;
  throw failure('insufficient_aal', { status, message });
}

/** Whether an OAuth application calls: by its session, or by claim `client_id` where the token names no session. */
export function isApplication({ claims, session }: Pick<Caller, 'claims' | 'session'>): boolean {
  if (claims.client_id !== undefined && claims.client_id !== null) return true;
  return session !== undefined && session.oauth_client_id !== null;
}

/** The refusal of an application: people have allowed it to know something, and not to manage their account. */
export function noManagement() {
  return failure('no_authorization', { status: 403, message: 'Applications cannot manage accounts' });
}

function requireUnbanned({ now }: AuthContext, caller: Caller): Caller {
  if (isBanned(caller.user, now())) throw failure('user_banned');
  return caller;
}

/**
 * Requires an admin's token. A service's key names nobody; if a token names a session, that must still be
 * valid, and at aal2 if its user has a verified second factor. Throws `no_authorization`, `bad_jwt`, `not_admin`, and for
 * sessions what {@link requireCaller} does, `session_expired` or `insufficient_aal`.
 */
export async function requireAdmin(context: AuthContext, request: AuthRequest): Promise<Claims> {
  const { config, now } = context;
  const claims = await requireClaims(context, request);
  if (isApplication({ claims, session: undefined })) throw failure('not_admin');
  let person: Pick<Caller, 'user' | 'session'> | undefined;
  if (sessionIdOf(claims) !== undefined) {
    const { user, session } = requireUnbanned(context, await loadCaller(context, claims));
    if (isApplication({ claims, session })) throw failure('not_admin');
    const validity = { now: now(), reachable: reachableLevel(user) };
    if (session !== undefined && expiryOf(session, config.sessions, validity) !== undefined) {
      throw failure('session_expired', { status: 403, message: 'Session is no longer valid' });
    }
    person = { user, session };
  }
  const isAdmin = typeof claims.role === 'string' && config.jwt.adminRoles.includes(claims.role);
  if (!isAdmin) throw failure('not_admin');
  // The admin API can remove factors and set passwords, also those of the admin who calls.
  if (person) requireSecondFactor(person, 403, 'AAL2 required for administration');
  return claims;
}

async function requireClaims({ keys }: AuthContext, { bearer }: AuthRequest): Promise<Claims> {
  if (bearer === undefined) throw failure('no_authorization');
  try {
    return await keys.verify(bearer);
  } catch (error) {
    if (!(error instanceof JwtError)) throw error;
    throw badJwt(`invalid JWT: unable to parse or verify signature, ${error.message}`);
  }
}

async function loadCaller({ database }: AuthContext, claims: Claims): Promise<Caller> {
  const userId = userIdOf(claims);
  const sessionId = sessionIdOf(claims);
  const [row] = await database.query<UserRow & { session: SessionRow | null }>(findCaller(userId, sessionId));
  if (row === undefined) throw failure('user_not_found');
  if (sessionId !== undefined && row.session === null) throw failure('session_not_found');
  return { claims, user: row, session: row.session ?? undefined };
}

/** The statement that finds a user and the session that a token names; null for the session where it has ended. */
export function findCaller(userId: string, sessionId: string | undefined): Statement {
  return {
    name: 'auth_caller',
    text: `select ${userColumns}, ${sessionAsJson} as session
      from auth.users u left join auth.sessions s on s.id = $2::uuid and s.user_id = u.id
      where u.id = $1`,
    values: [userId, sessionId ?? null],
  };
}

const DIVISION_BY_ZERO = '22012';

/**
 * The statement that makes a batch fail where the caller's session has ended since it was checked, and keeps it from
 * ending until the batch is committed; nothing to send for tokens without a session. See {@link hasSessionEnded}.
 */
export function keepSession({ session }: Pick<Caller, 'session'>): Statement[] {
  if (session === undefined) return [];
  return [
    {
      name: 'auth_keep_session',
      text: `with held as (select from auth.sessions where id = $1 for key share)
        select 1 / (select count(*) from held) as is_held`,
      values: [session.id],
    },
  ];
}

/** Whether a batch failed because of {@link keepSession}. */
export function hasSessionEnded(error: unknown): boolean {
  return isDatabaseError(error) && error.code === DIVISION_BY_ZERO;
}

/** The anon and service keys have no `sub`, which is how they are told from users' tokens. */
function userIdOf({ sub }: Claims): string {
  if (sub === undefined || sub === '') throw badJwt('invalid claim: missing sub claim');
  if (typeof sub === 'string' && isUuid(sub)) return sub;
  throw failure('bad_jwt', { status: 400, message: 'invalid claim: sub claim must be a UUID' });
}

function sessionIdOf({ session_id: id }: Claims): string | undefined {
  if (id === undefined || id === '' || id === NIL_UUID) return undefined;
  if (typeof id === 'string' && isUuid(id)) return id;
  throw badJwt('invalid claim: session_id claim must be a UUID');
}

function badJwt(message: string) {
  return failure('bad_jwt', { message });
}
