/**
 * Requires a signed-in user for the consent page, with a second factor if they have one, independently of
 * the site's guard settings.
 */
import { redirect } from 'react-router';
import type { Claims } from '../../session/claims.ts';
import { oneTimePath } from '../../session/one-time-view.ts';
import { savePath } from '../../session/saved-path.server.ts';
import { findSecondStep } from '../../session/second-step.server.ts';
import { cookieContext, sessionContext, siteContext } from '../../shell/request/contexts.server.ts';
import {
  forgetSession,
  pagePath,
  savedPathSettings,
  type VisitorArgs,
  visitorClient,
} from '../../shell/request/visitor.server.ts';

/**
 * Throws a redirect to the sign-in page, which redirects back here; and a 503 if the backend does not
 * respond.
 */
export async function requireUser(args: VisitorArgs): Promise<Claims> {
  const session = args.context.get(sessionContext);
  if (!session) throw toSignIn(args);
  const step = await findSecondStep(session.claims, () => visitorClient(args));
  if (step === 'not-needed') return session.claims;
  if (step === 'needed') throw toSignIn(args, 'factor');
  forgetSession(args);
  throw toSignIn(args);
}

/**
 * Returns a redirect to the sign-in page, or to its second step, and saves this page as the path to return
 * to.
 */
export function toSignIn(args: VisitorArgs, step?: 'factor'): Response {
  const site = args.context.get(siteContext);
  const { login } = site.options.guard;
  savePath(args.context.get(cookieContext), pagePath(args), savedPathSettings(site));
  return redirect(step ? oneTimePath(login, step) : login);
}
