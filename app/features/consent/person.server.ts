/** Who answers applications: somebody who is signed in, by both steps where they have two. Whatever the site's guard watches. */
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

/** Throws a redirect to the sign-in page, from which one comes back here; and a 503 where the backend cannot say. */
export async function requirePerson(args: VisitorArgs): Promise<Claims> {
  const session = args.context.get(sessionContext);
  if (!session) throw toSignIn(args);
  const step = await findSecondStep(session.claims, () => visitorClient(args));
  if (step === 'not-needed') return session.claims;
  if (step === 'needed') throw toSignIn(args, 'factor');
  forgetSession(args);
  throw toSignIn(args);
}

/** To the sign-in page, or to its second step, with this page kept as the one to come back to. */
export function toSignIn(args: VisitorArgs, step?: 'factor'): Response {
  const site = args.context.get(siteContext);
  const { login } = site.options.guard;
  savePath(args.context.get(cookieContext), pagePath(args), savedPathSettings(site));
  return redirect(step ? oneTimePath(login, step) : login);
}
