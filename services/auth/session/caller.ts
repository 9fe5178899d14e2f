/** Authenticates a request: bearer token → verified claims → current user and session. */
import { JwtError } from '@greenroom/keys';
import type { Statement } from '@greenroom/postgres';
import type { AuthContext } from '../context.ts';
import type { AuthRequest } from '../contracts/request.ts';
import { failure } from '../errors.ts';
import { isUuid } from '../http/uuid.ts';
import { isDatabaseError } from '../lib/database-error.ts';
import { NIL_UUID } from '../user/find.ts';
import { hasVerifiedFactor, isBanned, type UserRow, userColumns } from '../user/user.ts';
import {
  hasUsedTwoFactors,
  isImpersonation,
  reachableLevel,
  type SessionRow,
  sessionAsJson,
} from './session.ts';
import { expiryOf } from './validity.ts';

/** Claims with a verified signature; their values are unchecked. */
export type Claims = Record<string, unknown>;

/** A signed-in user. `session` is undefined if the token names none, as tokens issued elsewhere may. */
export interface Caller {
  claims: Claims;
  user: UserRow;
  session: SessionRow | undefined;
}

/**
 * Requires a signed-in user whose session exists: signing out invalidates unexpired tokens for this service.
 * Throws `no_authorization` (also for applications, and for administrators who use the site as the user), `bad_jwt`,
 * `user_not_found`, `session_not_found`, `user_banned`.
 */
export async function requireCaller(context: AuthContext, request: AuthRequest): Promise<Caller> {
  const caller = await requireCallerOrImpersonator(context, request);
  if (isImpersonation(caller.session)) throw impersonatorNotAllowed();
  return caller;
}

/** Like {@link requireCaller}, but also accepts an administrator who uses the site as the user: to read only. */
export async function requireCallerOrImpersonator(
  context: AuthContext,
  request: AuthRequest,
): Promise<Caller> {
  const caller = await requireCallerOrApplication(context, request);
  if (isApplication(caller)) throw applicationNotAllowed();
  return caller;
}

/** Like {@link requireCaller}, but also accepts OAuth applications that the user has signed in to. */
export async function requireCallerOrApplication(
  context: AuthContext,
  request: AuthRequest,
): Promise<Caller> {
  return requireUnbanned(context, await loadCaller(context, await requireClaims(context, request)));
}

/**
 * Requires that users with a verified second factor have used it in this session, since a password alone must
 * not be enough. Throws `insufficient_aal`.
 */
export function requireSecondFactor(
  { user, session }: Pick<Caller, 'user' | 'session'>,
  status: 401 | 403,
  message: string,
): void {
  if (!hasVerifiedFactor(user) || hasUsedTwoFactors(session)) return;
  throw failure('insufficient_aal', { status, message });
}

/**
 * Whether an OAuth application makes the request. Checks the session, and claim `client_id` for tokens without
 * a session.
 */
export function isApplication({ claims, session }: Pick<Caller, 'claims' | 'session'>): boolean {
  if (claims.client_id !== undefined && claims.client_id !== null) return true;
  return session !== undefined && session.oauth_client_id !== null;
}

/** Users grant applications access to data, not the management of their account. */
export function applicationNotAllowed() {
  return failure('no_authorization', { status: 403, message: 'Applications cannot manage accounts' });
}

/** An administrator changes accounts in the admin area, where the audit log names the administrator. */
export function impersonatorNotAllowed() {
  return failure('no_authorization', {
    status: 403,
    message: 'Accounts cannot be managed while impersonating their user',
  });
}

function requireUnbanned({ now }: AuthContext, caller: Caller): Caller {
  if (isBanned(caller.user, now())) throw failure('user_banned');
  return caller;
}

/**
 * Requires a token with an admin role. A service key names no user. If the token names a session, the session
 * must be valid, and at aal2 if its user has a verified second factor. Throws `no_authorization`, `bad_jwt`,
 * `not_admin`; for tokens with a session also the errors of {@link requireCaller}, `session_expired` and
 * `insufficient_aal`.
 */
export async function requireAdmin(context: AuthContext, request: AuthRequest): Promise<Claims> {
  const { config, now } = context;
  const claims = await requireClaims(context, request);
  if (isApplication({ claims, session: undefined })) throw failure('not_admin');
  let caller: Pick<Caller, 'user' | 'session'> | undefined;
  if (sessionIdOf(claims) !== undefined) {
    const { user, session } = requireUnbanned(context, await loadCaller(context, claims));
    if (isApplication({ claims, session }) || isImpersonation(session)) throw failure('not_admin');
    const validity = { now: now(), reachable: reachableLevel(user) };
    if (session !== undefined && expiryOf(session, config.sessions, validity) !== undefined) {
      throw failure('session_expired', { status: 403, message: 'Session is no longer valid' });
    }
    caller = { user, session };
  }
  const isAdmin = typeof claims.role === 'string' && config.jwt.adminRoles.includes(claims.role);
  if (!isAdmin) throw failure('not_admin');
  // The admin API can remove factors and set passwords, including those of the calling admin.
  if (caller) requireSecondFactor(caller, 403, 'AAL2 required for administration');
  return claims;
}

async function requireClaims({ keys }: AuthContext, request: AuthRequest): Promise<Claims> {
  const { bearer } = request;
  if (bearer === undefined) throw failure('no_authorization');
  try {
    const claims = await keys.verify(bearer);
    if (typeof claims.sub === 'string' && claims.sub !== '') request.userId = claims.sub;
    return claims;
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

/** Finds a user and the session named in the token. `session` is null if it has ended. */
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
 * Makes a batch fail if the caller's session has ended since it was checked, and locks the session until the
 * batch is committed. Empty for tokens without a session. {@link isSessionEndedError} recognises the failure.
 */
export function requireSessionInBatch({ session }: Pick<Caller, 'session'>): Statement[] {
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

/** Whether a batch failed because of {@link requireSessionInBatch}. */
export function isSessionEndedError(error: unknown): boolean {
  return isDatabaseError(error) && error.code === DIVISION_BY_ZERO;
}

/** The anon and service keys have no `sub`; user tokens always do. */
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
