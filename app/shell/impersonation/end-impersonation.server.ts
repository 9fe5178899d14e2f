/** Ends the use of the site as a user. */
import { redirectDocument } from 'react-router';
import { type Claims, isImpersonated } from '../../session/claims.ts';
import { personAddress } from '../../session/person-name.ts';
import { sessionContext, siteContext, visitContext } from '../request/contexts.server.ts';
import { resumeOwnSession } from '../request/own-session.server.ts';
import type { VisitorArgs } from '../request/visitor.server.ts';

/**
 * Requests of the page that is being left would find the session ended, and delete the cookies of the session that has just
 * replaced it. They end with their page.
 */
const GRACE_MS = 3_000;

/** Ends the session of the user, continues the administrator's own one, and redirects to the user in the admin area. */
export async function endImpersonation(args: VisitorArgs): Promise<Response> {
  const claims = args.context.get(sessionContext)?.claims;
  if (!claims || !isImpersonated(claims)) return redirectDocument('/');
  const own = await resumeOwnSession(args);
  endLater(args, claims);
  if (!own) return redirectDocument(args.context.get(siteContext).options.guard.login);
  const { requestId, clientAddress } = args.context.get(visitContext);
  const { meta } = args.context.get(siteContext).backend;
  const entry = await meta?.addAudit({
    actor_id: own.claims.sub,
    actor_email: own.claims.email || null,
    actor_address: clientAddress || null,
    request_id: requestId,
    action: 'user.end_impersonation',
    target: `user:${claims.sub}`,
    summary: `Stop using the site as ${personAddress(claims)}`,
  });
  if (entry !== undefined) await meta?.completeAudit(entry, { outcome: 'done' });
  return redirectDocument(`/admin/users?user=${claims.sub}`);
}

/** If the process ends before, the session ends with its time limit. */
function endLater({ context }: VisitorArgs, { sub, session_id }: Claims): void {
  const { backend, options } = context.get(siteContext);
  setTimeout(() => {
    backend
      .callAdmin(`/admin/users/${sub}/sessions/${session_id}`, 'DELETE')
      ?.catch((err: unknown) => options.log.warn({ err }, 'the session of an impersonation was not ended'));
  }, GRACE_MS).unref();
}
