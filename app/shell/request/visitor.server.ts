/** What loaders and actions do for the visitor of a request. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { type RouterContextProvider, redirect, redirectDocument } from 'react-router';
import { withBase } from '../../lib/page/base-path.ts';
import { documentPath } from '../../lib/page/document-path.ts';
import { sessionCookieNames } from '../../session/auth-cookies.ts';
import type { AuthCall } from '../../session/backend.server.ts';
import { CookieJar } from '../../session/cookie-jar.server.ts';
import { backendUnreachable } from '../../session/page-errors.ts';
import { readSession, type Session } from '../../session/read-session.server.ts';
import { pluckPath, type SavedPathSettings } from '../../session/saved-path.server.ts';
import { readSessionTokens } from '../../session/session-cookie.server.ts';
import { cookieContext, type Site, sessionContext, siteContext, visitContext } from './contexts.server.ts';

/** Router's arguments, as far as they are needed here. */
export interface VisitorArgs {
  request: Request;
  context: Readonly<RouterContextProvider>;
}

/** A client of the backend that acts for the visitor and writes to their cookies. */
export function visitorClient({ request, context }: VisitorArgs): Promise<SupabaseClient> {
  const { backend } = context.get(siteContext);
  return backend.forVisitor(
    context.get(cookieContext),
    context.get(visitContext),
    request.headers.get('user-agent'),
  );
}

/** A client without the visitor's session: what it signs in to, the browser never learns. */
export function strangerClient({ request, context }: VisitorArgs): Promise<SupabaseClient> {
  const visit = context.get(visitContext);
  const { backend } = context.get(siteContext);
  return backend.forVisitor(new CookieJar(null, visit.isHttps), visit, request.headers.get('user-agent'));
}

/** The session as the cookies say. Throws a 503 error response where the backend would be needed and does not answer. */
export function currentSession(args: VisitorArgs): Promise<Session | undefined> {
  const { backend, cookiePrefix } = args.context.get(siteContext);
  return readSession({
    jar: args.context.get(cookieContext),
    cookiePrefix,
    forVisitor: () => visitorClient(args),
    forVerification: () => backend.forVerification(),
  });
}

/** Gets a token that says what the account says now, for this page, too. */
export async function renewSession(args: VisitorArgs, { auth }: SupabaseClient): Promise<void> {
  await auth.refreshSession();
  args.context.set(sessionContext, await currentSession(args));
}

/** Takes the session away from the browser; the backend is not told. */
export function forgetSession({ context }: VisitorArgs): void {
  const jar = context.get(cookieContext);
  context.set(sessionContext, undefined);
  for (const name of sessionCookieNames(jar.names(), context.get(siteContext).cookiePrefix)) jar.clear(name);
}

/**
 * Calls an endpoint of the auth service that the official client does not know, for the visitor. Undefined where there
 * is no session. Throws a 503 error response where the backend does not answer.
 */
export async function callAuth(
  { request, context }: VisitorArgs,
  path: string,
  call: Pick<AuthCall, 'method' | 'body'> = {},
): Promise<Response | undefined> {
  const { backend, cookiePrefix } = context.get(siteContext);
  const tokens = await readSessionTokens(context.get(cookieContext), cookiePrefix);
  if (tokens === undefined) return undefined;
  const answer = await backend
    .callAuth(path, {
      ...call,
      accessToken: tokens.access_token,
      visit: context.get(visitContext),
      userAgent: request.headers.get('user-agent'),
    })
    .catch(() => undefined);
  if (answer === undefined || answer.status >= 500) throw backendUnreachable();
  return answer;
}

/** Path with query of the page that a request is about, below the app's base. */
export function pagePath({ request, context }: VisitorArgs): string {
  return documentPath(request.url, context.get(siteContext).options.place.baseURL);
}

/** Public address of a page, for mails and other providers. */
export function pageUrl(path: string, { context }: VisitorArgs): string {
  const { baseURL } = context.get(siteContext).options.place;
  return context.get(visitContext).origin + withBase(path, baseURL);
}

/** A page with a policy for its content of its own: it is loaded whole. */
const WHOLE_PAGE = /^\/oauth\/consent(?:\?|$)/;

/** Sends the visitor where they wanted to go before they signed in, or home. */
export function redirectToSavedPath({ context }: VisitorArgs): Response {
  const path = pluckPath(context.get(cookieContext), savedPathSettings(context.get(siteContext)));
  return WHOLE_PAGE.test(path) ? redirectDocument(path) : redirect(path);
}

/** Settings of the saved path for a site. */
export function savedPathSettings({ cookiePrefix, options: { guard } }: Site): SavedPathSettings {
  return { cookiePrefix, pages: { login: guard.login, callback: guard.callback } };
}
