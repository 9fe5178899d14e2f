/**
 * The administrator's own session while they use the site as a user: its refresh token is kept in a cookie that scripts cannot
 * read, and the session continues when the other one ends.
 */
import { isImpersonated } from '../../session/claims.ts';
import type { Session } from '../../session/read-session.server.ts';
import { readSessionTokens } from '../../session/session-cookie.server.ts';
import { cookieContext, sessionContext, siteContext } from './contexts.server.ts';
import { currentSession, forgetSession, type VisitorArgs, visitorClient } from './visitor.server.ts';

/** Longer than a session of a user lasts for an administrator. */
const KEPT_FOR_SECONDS = 86_400;

function cookieName({ context }: VisitorArgs): string {
  return `${context.get(siteContext).cookiePrefix}-own`;
}

/** Keeps the visitor's session, before its cookies are replaced. Returns false if there is none. */
export async function keepOwnSession(args: VisitorArgs): Promise<boolean> {
  const jar = args.context.get(cookieContext);
  const tokens = await readSessionTokens(jar, args.context.get(siteContext).cookiePrefix);
  if (tokens === undefined) return false;
  jar.set(cookieName(args), tokens.refresh_token, {
    httpOnly: true,
    sameSite: 'strict',
    maxAge: KEPT_FOR_SECONDS,
  });
  return true;
}

/** Replaces the session of the cookies by the kept one, and returns it; undefined if it has ended, too. */
export async function resumeOwnSession(args: VisitorArgs): Promise<Session | undefined> {
  const jar = args.context.get(cookieContext);
  const name = cookieName(args);
  const refreshToken = jar.get(name);
  jar.clear(name);
  forgetSession(args);
  if (!refreshToken) return undefined;
  const { auth } = await visitorClient(args);
  await auth.refreshSession({ refresh_token: refreshToken });
  const session = await currentSession(args);
  args.context.set(sessionContext, session);
  return session;
}

/** Returns the session of a request: the kept one if the session of the user has ended. */
export async function settleSession(
  args: VisitorArgs,
  session: Session | undefined,
): Promise<Session | undefined> {
  const jar = args.context.get(cookieContext);
  const name = cookieName(args);
  if (jar.get(name) === undefined) return session;
  if (session === undefined) return resumeOwnSession(args);
  if (!isImpersonated(session.claims)) jar.clear(name);
  return session;
}
