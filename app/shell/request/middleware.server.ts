/** The root's middleware, which runs around every page. */
import { type MiddlewareFunction, redirect } from 'react-router';
import { decideGuard } from '../../lib/guard.ts';
import {
  chooseLanguage,
  LANGUAGE_COOKIE,
  LANGUAGE_PARAMETER,
  type Language,
  parseLanguage,
} from '../../lib/language.ts';
import { withBase, withoutBase } from '../../lib/page/base-path.ts';
import { matchesPattern } from '../../lib/patterns.ts';
import { CookieJar } from '../../session/cookie-jar.server.ts';
import { oneTimePath } from '../../session/one-time-view.ts';
import { pageNotFound, refused } from '../../session/page-errors.ts';
import type { Session } from '../../session/read-session.server.ts';
import { savePath } from '../../session/saved-path.server.ts';
import { findSecondStep } from '../../session/second-step.server.ts';
import { isSwitchedOff } from '../page-switches.ts';
import { checkAdminAccess } from './admin-access.server.ts';
import {
  cookieContext,
  languageContext,
  routeFactsContext,
  sessionContext,
  siteContext,
  visitContext,
} from './contexts.server.ts';
import { settleSession } from './own-session.server.ts';
import { factsAbout, type RouteFacts } from './route-facts.server.ts';
import {
  currentSession,
  forgetSession,
  pagePath,
  savedPathSettings,
  type VisitorArgs,
  visitorClient,
} from './visitor.server.ts';

const ONE_YEAR_SECONDS = 31_536_000;
/** Pattern of the route that matches every path without a page. */
const UNMATCHED = '*';
/** Pattern of the route that signs out. */
const SIGN_OUT = 'sign-out';
/** Longer than any token of a link. */
const MAX_CLAIM_CHARACTERS = 512;

/**
 * Rejects refused requests, reads the session and applies the guard; then runs the page, and adds the
 * cookies that were set meanwhile.
 */
export const visitMiddleware: MiddlewareFunction<Response> = async (
  { request, url, pattern, context },
  next,
) => {
  const site = context.get(siteContext);
  const visit = context.get(visitContext);
  const jar = new CookieJar(request.headers.get('cookie'), visit.isHttps);
  context.set(cookieContext, jar);
  const { product } = site.options;
  const offered = product?.config.languages;
  context.set(languageContext, visitorLanguage(request, jar, offered));
  if (visit.refusal) throw refused(visit.refusal);
  const path = withoutBase(url.pathname, site.options.location.baseURL);
  const chosen = request.method === 'GET' && parseLanguage(url.searchParams.get(LANGUAGE_PARAMETER), offered);
  if (chosen) return finish(switchLanguage({ request, context }, chosen), jar, false);
  const rule = site.options.redirects.find(({ from }) => matchesPattern(from, path));
  if (rule) return finish(redirectByRule(rule.to, { request, context }), jar, false);
  if (isSwitchedOff(pattern, product?.config.pages)) throw pageNotFound(pagePath({ request, context }));
  const session = await settleSession({ request, context }, await currentSession({ request, context }));
  context.set(sessionContext, session);
  // Only existing paths are guarded: that a page does not exist is no secret, and its path is not worth
  // saving.
  const facts = factsAbout(pattern, context.get(routeFactsContext));
  const isGuarded =
    facts.guard === undefined
      ? pattern !== UNMATCHED && decideGuard(site.options.guard, path, false) === 'to-login'
      : facts.guard !== 'public';
  const requiredPage = isGuarded ? await findRequiredPage(session, pattern, { request, context }) : undefined;
  if (requiredPage === undefined && facts.guard === 'admin') await requireAdmin({ request, context });
  const response =
    requiredPage === undefined ? await next() : refuse({ request, context }, requiredPage, facts);
  return finish(response, jar, session !== undefined);
};

/**
 * Returns the page that the visitor of a guarded page must visit first, if any. Signing out is never
 * blocked.
 */
async function findRequiredPage(
  session: Session | undefined,
  pattern: string,
  args: VisitorArgs,
): Promise<string | undefined> {
  const { login } = args.context.get(siteContext).options.guard;
  if (!session) return (await needsFirstAccount(args)) ? `${login}?mode=sign-up` : login;
  if (pattern === SIGN_OUT) return undefined;
  const step = await findSecondStep(session.claims, () => visitorClient(args));
  if (step === 'gone') forgetSession(args);
  return { gone: login, needed: oneTimePath(login, 'factor'), 'not-needed': undefined }[step];
}

/**
 * Returns whether the request uses the link for the first admin of a new instance, which has no account to
 * sign in with.
 */
async function needsFirstAccount({ request, context }: VisitorArgs): Promise<boolean> {
  const token = new URL(request.url).searchParams.get('claim');
  const { firstAdmin } = context.get(siteContext).options;
  if (!token || token.length > MAX_CLAIM_CHARACTERS || firstAdmin === undefined) return false;
  return firstAdmin.needsFirstAccount(token).catch(() => false);
}

function visitorLanguage(
  request: Request,
  jar: CookieJar,
  offered: readonly Language[] | undefined,
): Language {
  return chooseLanguage({
    chosen: jar.get(LANGUAGE_COOKIE),
    accepted: request.headers.get('accept-language'),
    offered,
  });
}

/** Saves the choice in a cookie, and redirects to the same page without the parameter. */
function switchLanguage(args: VisitorArgs, chosen: Language): Response {
  args.context.get(cookieContext).set(LANGUAGE_COOKIE, chosen, { maxAge: ONE_YEAR_SECONDS });
  const [path = '', ...queries] = pagePath(args).split('?');
  const query = queries.join('?');
  const parameters = new URLSearchParams(query);
  parameters.delete(LANGUAGE_PARAMETER);
  // A path that begins with two slashes would redirect to another host.
  const page = path.replace(/^\/+/, '/');
  return redirectTo(parameters.size > 0 ? `${page}?${parameters}` : page, args);
}

/** Redirects by a rule of the site's settings. A 307 keeps the method. */
function redirectByRule(to: string, args: VisitorArgs): Response {
  const status = 307;
  return to.startsWith('/') ? redirectTo(to, args, status) : redirect(to, status);
}

/** Programs that call a route without a page cannot use a sign-in page. */
function refuse(args: VisitorArgs, requiredPage: string, facts: RouteFacts): Response {
  const isDocument = args.request.headers.get('accept')?.includes('text/html') === true;
  if (!facts.isEndpoint || isDocument) return toLogin(args, requiredPage, facts.hasPage || isDocument);
  const message = 'This address requires a session.';
  return Response.json({ error: true, status: 401, message }, { status: 401 });
}

/** Throws a 403 error response, or a redirect to the second step of the sign-in. */
async function requireAdmin(args: VisitorArgs): Promise<void> {
  const access = await checkAdminAccess(args);
  if (access === 'not-admin') throw refused({ status: 403, code: 'adminsOnly' });
  if (access === 'granted') return;
  const { login } = args.context.get(siteContext).options.guard;
  throw toLogin(args, oneTimePath(login, 'factor'));
}

/** @param canReturn whether the address is worth saving: that of data would be shown after the sign-in */
function toLogin(args: VisitorArgs, login: string, canReturn = true): Response {
  const site = args.context.get(siteContext);
  const { guard } = site.options;
  if (canReturn && guard.saveRedirect && args.request.method === 'GET' && !isPrefetch(args.request)) {
    savePath(args.context.get(cookieContext), pagePath(args), savedPathSettings(site));
  }
  return redirectTo(login, args);
}

/** Returns whether the request is a prefetch, before the user follows the link. */
function isPrefetch({ headers }: Request): boolean {
  return /prefetch/.test(`${headers.get('sec-purpose')} ${headers.get('purpose')}`);
}

/** The router adds the base path only to redirects of loaders and actions. */
function redirectTo(path: string, { context }: VisitorArgs, status = 302): Response {
  return redirect(withBase(path, context.get(siteContext).options.location.baseURL), status);
}

function finish(response: Response, jar: CookieJar, hasSession: boolean): Response {
  let isPersonal = hasSession;
  for (const cookie of jar.setCookieHeaders()) {
    response.headers.append('set-cookie', cookie);
    isPersonal = true;
  }
  if (isPersonal) response.headers.set('cache-control', 'private, no-store');
  return response;
}
