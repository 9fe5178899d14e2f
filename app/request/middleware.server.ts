/** The root's middleware: what happens to every request before and after its page. */
import { data, type MiddlewareFunction, type RouterContextProvider, redirect } from 'react-router';
import { CookieJar } from '../session/cookie-jar.server.ts';
import { decideGuard } from '../session/guard.ts';
import { readSession } from '../session/read-session.server.ts';
import { savePath } from '../session/saved-path.server.ts';
import { cookieContext, type Site, sessionContext, siteContext, visitContext } from './contexts.server.ts';
import { documentPath } from './document-path.ts';
import { savedPathSettings, visitorClient } from './visitor.server.ts';

/** Pattern of the route that stands for every path without a page. */
const UNMATCHED = '*';

/** Refuses, finds the session, guards; then lets the page answer, and adds the cookies that came up meanwhile. */
export const visitMiddleware: MiddlewareFunction<Response> = async (
  { request, url, pattern, context },
  next,
) => {
  const site = context.get(siteContext);
  const visit = context.get(visitContext);
  if (visit.refusal) throw data({ message: visit.refusal.message }, { status: visit.refusal.status });
  const jar = new CookieJar(request.headers.get('cookie'), visit.isHttps);
  context.set(cookieContext, jar);
  const session = await readSession({
    jar,
    cookiePrefix: site.cookiePrefix,
    forVisitor: () => visitorClient({ request, context }),
    forVerification: () => site.backend.forVerification(),
  });
  context.set(sessionContext, session);
  // Valid paths only are guarded: that a page does not exist is no secret, and no place to come back to.
  const isGuarded =
    pattern !== UNMATCHED && decideGuard(site.options.guard, url.pathname, !!session) === 'to-login';
  const answer = isGuarded ? toLogin(request, context) : await next();
  return finish(answer, jar, session !== undefined);
};

function toLogin(request: Request, context: Readonly<RouterContextProvider>): Response {
  const site: Site = context.get(siteContext);
  if (site.options.guard.saveRedirect && request.method === 'GET') {
    savePath(context.get(cookieContext), documentPath(request.url), savedPathSettings(site));
  }
  return redirect(site.options.guard.login);
}

function finish(answer: Response, jar: CookieJar, hasSession: boolean): Response {
  let isPersonal = hasSession;
  for (const cookie of jar.setCookieHeaders()) {
    answer.headers.append('set-cookie', cookie);
    isPersonal = true;
  }
  if (isPersonal) answer.headers.set('cache-control', 'private, no-store');
  return answer;
}
