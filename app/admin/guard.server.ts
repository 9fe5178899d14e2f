/** The guard `admin` on the server: whoever asks for a page of the admin area is judged anew. */
import { redirect } from 'react-router';
import { backendUnreachable } from '../errors/page-errors.ts';
import { sessionContext, siteContext } from '../request/contexts.server.ts';
import { type VisitorArgs, visitorClient } from '../request/visitor.server.ts';
import { isBackendFailure } from '../session/backend-failure.ts';
import { isAdmin, judgeAccess } from './access.ts';

/** Claims are a token's age old, and know no factors: whoever has the role is looked up. Throws a redirect to the
 * login for somebody who no longer exists, and a 503 where the backend cannot say. */
export async function judgeVisitor(args: VisitorArgs): Promise<ReturnType<typeof judgeAccess>> {
  const claims = args.context.get(sessionContext)?.claims;
  if (!claims || !isAdmin(claims)) return 'not-admin';
  const { auth } = await visitorClient(args);
  const { data: found, error } = await auth.getUser();
  if (error && isBackendFailure(error)) throw backendUnreachable();
  if (!found.user) throw redirect(args.context.get(siteContext).options.guard.login);
  const { app_metadata, factors = [] } = found.user;
  return judgeAccess({ app_metadata, aal: claims.aal }, factors);
}
