/** Helpers of loaders and actions that act for the visitor of a request. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { type RouterContextProvider, redirect, redirectDocument } from 'react-router';
import { withBase } from '../../lib/page/base-path.ts';
import { documentPath } from '../../lib/page/document-path.ts';
import { sessionCookieNames } from '../../session/auth-cookies.ts';
import type { AuthCall } from '../../session/backend.server.ts';
import { CookieJar } from '../../session/cookie-jar.server.ts';
import type { Visit } from '../../session/page-build.ts';
import { backendUnreachable } from '../../session/page-errors.ts';
import { readSession, type Session } from '../../session/read-session.server.ts';
import { consumeSavedPath, type SavedPathSettings } from '../../session/saved-path.server.ts';
import { readSessionTokens } from '../../session/session-cookie.server.ts';
import { cookieContext, type Site, sessionContext, siteContext, visitContext } from './contexts.server.ts';

/** The fields of the router's arguments that are used here. */
export interface VisitorArgs {
  request: Request;
  context: Readonly<RouterContextProvider>;
}

type Clients = WeakMap<Visit, Promise<SupabaseClient>>;

/** The clients of each request that has needed them. Creating a client costs more than a call with it. */
const visitorClients: Clients = new WeakMap();
const visitorReaders: Clients = new WeakMap();

/** Returns the client of the backend that acts for the visitor of a request and writes to their cookies. */
export function visitorClient({ request, context }: VisitorArgs): Promise<SupabaseClient> {
  const { backend } = context.get(siteContext);
  const userAgent = request.headers.get('user-agent');
  return onePerVisit(visitorClients, context.get(visitContext), (visit) =>
    backend.forVisitor(context.get(cookieContext), visit, userAgent),
  );
}

/**
 * Returns a client that reads the visitor's data and files. It costs less than {@link visitorClient}, which reads the
 * cookies again for each call. The session's token is valid: the root's middleware has refreshed it if necessary.
 */
export function visitorReader(args: VisitorArgs): Promise<SupabaseClient> {
  const { request, context } = args;
  const { backend, cookiePrefix } = context.get(siteContext);
  return onePerVisit(visitorReaders, context.get(visitContext), async (visit) => {
    const tokens = await readSessionTokens(context.get(cookieContext), cookiePrefix);
    if (tokens === undefined) return visitorClient(args);
    return backend.withToken(tokens.access_token, visit, request.headers.get('user-agent'));
  });
}

function onePerVisit(
  clients: Clients,
  visit: Visit,
  create: (visit: Visit) => Promise<SupabaseClient>,
): Promise<SupabaseClient> {
  const client = clients.get(visit) ?? create(visit);
  clients.set(visit, client);
  return client;
}

/** Returns a client without the visitor's session. A session that it creates is never sent to the browser. */
export function sessionlessClient({ request, context }: VisitorArgs): Promise<SupabaseClient> {
  const visit = context.get(visitContext);
  const { backend } = context.get(siteContext);
  return backend.forVisitor(new CookieJar(null, visit.isHttps), visit, request.headers.get('user-agent'));
}

/**
 * Returns the verified session of the request's cookies. Throws a 503 error response if the backend is
 * needed and does not respond.
 */
export function currentSession(args: VisitorArgs): Promise<Session | undefined> {
  const { backend, cookiePrefix } = args.context.get(siteContext);
  return readSession({
    jar: args.context.get(cookieContext),
    cookiePrefix,
    forVisitor: () => visitorClient(args),
    forVerification: () => backend.forVerification(),
  });
}

/** Refreshes the token, so that its claims have the account's current data on this page, too. */
export async function renewSession(args: VisitorArgs, { auth }: SupabaseClient): Promise<void> {
  await auth.refreshSession();
  args.context.set(sessionContext, await currentSession(args));
}

/** Deletes the session's cookies in the browser; the backend is not notified. */
export function forgetSession({ context }: VisitorArgs): void {
  const jar = context.get(cookieContext);
  context.set(sessionContext, undefined);
  for (const name of sessionCookieNames(jar.names(), context.get(siteContext).cookiePrefix)) jar.clear(name);
}

/**
 * Calls an endpoint of the auth service that the official client does not cover, for the visitor. Returns
 * undefined if there is no session. Throws a 503 error response if the backend does not respond.
 */
export async function callAuth(
  { request, context }: VisitorArgs,
  path: string,
  call: Pick<AuthCall, 'method' | 'body'> = {},
): Promise<Response | undefined> {
  const { backend, cookiePrefix } = context.get(siteContext);
  const tokens = await readSessionTokens(context.get(cookieContext), cookiePrefix);
  if (tokens === undefined) return undefined;
  const response = await backend
    .callAuth(path, {
      ...call,
      accessToken: tokens.access_token,
      visit: context.get(visitContext),
      userAgent: request.headers.get('user-agent'),
    })
    .catch(() => undefined);
  if (response === undefined || response.status >= 500) throw backendUnreachable();
  return response;
}

/** Returns the path with query of the requested page, below the app's base. */
export function pagePath({ request, context }: VisitorArgs): string {
  return documentPath(request.url, context.get(siteContext).options.location.baseURL);
}

/** Returns the public URL of a page, for emails and OAuth providers. */
export function pageUrl(path: string, { context }: VisitorArgs): string {
  const { baseURL } = context.get(siteContext).options.location;
  return context.get(visitContext).origin + withBase(path, baseURL);
}

/** This page has its own content security policy, so it must be loaded as a document. */
const WHOLE_PAGE = /^\/oauth\/consent(?:\?|$)/;

/** Redirects to the path that the visitor requested before the sign-in, or home. */
export function redirectToSavedPath({ context }: VisitorArgs): Response {
  const path = consumeSavedPath(context.get(cookieContext), savedPathSettings(context.get(siteContext)));
  return WHOLE_PAGE.test(path) ? redirectDocument(path) : redirect(path);
}

/** Returns the settings of the saved path for a site. */
export function savedPathSettings({ cookiePrefix, options: { guard } }: Site): SavedPathSettings {
  return { cookiePrefix, pages: { login: guard.login, callback: guard.callback } };
}
