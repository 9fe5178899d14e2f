/** The consent page on the server: the application's request, and the user's decision. */
import type { AuthError } from '@supabase/supabase-js';
import { data } from 'react-router';
import { describeAuthError } from '../../session/auth-errors.ts';
import { isBackendFailure } from '../../session/backend-failure.ts';
import { backendUnreachable, pageNotFound, refused } from '../../session/page-errors.ts';
import { personName } from '../../session/person-name.ts';
import { actionRanContext, languageContext, visitContext } from '../../shell/request/contexts.server.ts';
import {
  forgetSession,
  pagePath,
  type VisitorArgs,
  visitorClient,
} from '../../shell/request/visitor.server.ts';
import { type Application, destinationOf, readApplication } from './application.ts';
import { readAuthorizationId } from './authorization-id.ts';
import { splitScopes } from './describe-scopes.ts';
import { requireUser, toSignIn } from './require-user.server.ts';
import { responseUrl } from './response-url.ts';

/** Data of the page. */
export type Consent =
  | { kind: 'question'; application: Application; scopes: string[]; person: string }
  /** The request was decided: the browser must go to `address`, which belongs to `destination`. */
  | { kind: 'answered'; address: string; destination: Application['destination'] }
  /** The request does not exist, or no longer. */
  | { kind: 'gone' }
  | { kind: 'problem'; message: string };

/** Loads the request. If the same access was granted before, it is approved automatically. */
export async function loadConsent(args: VisitorArgs & { url: URL }) {
  // The page shows the form's result; the decided request cannot be loaded again.
  if (args.context.get(actionRanContext)) return null;
  const claims = await requireUser(args);
  const id = readAuthorizationId(args.url.searchParams);
  if (id === undefined) return notFound();
  const { auth } = await visitorClient(args);
  const { data: found, error } = await auth.oauth.getAuthorizationDetails(id);
  if (error) return errorResponse(args, error);
  if ('redirect_url' in found) return answered(found);
  const application = readApplication(found.client, found.redirect_uri);
  args.context.get(visitContext).pictureOrigin = application.logo && new URL(application.logo).origin;
  const person = personName(claims);
  return data<Consent>({ kind: 'question', application, scopes: splitScopes(found.scope), person });
}

/** Approves or denies the request. */
export async function decideConsent(args: VisitorArgs & { url: URL }) {
  const decision = (await args.request.formData()).get('decision');
  if (decision !== 'approve' && decision !== 'deny') throw refused({ status: 400, code: 'unclearForm' });
  await requireUser(args);
  args.context.set(actionRanContext, true);
  const id = readAuthorizationId(args.url.searchParams);
  if (id === undefined) return notFound();
  const { auth } = await visitorClient(args);
  const options = { skipBrowserRedirect: true };
  const { data: response, error } =
    decision === 'approve'
      ? await auth.oauth.approveAuthorization(id, options)
      : await auth.oauth.denyAuthorization(id, options);
  return error ? errorResponse(args, error) : answered(response);
}

/**
 * The browser is not redirected by the response: the policy `form-action` restricts forms, including their
 * redirects, to this site.
 */
function answered(response: unknown) {
  const address = responseUrl(response);
  return address === undefined
    ? notFound()
    : data<Consent>({ kind: 'answered', address, destination: destinationOf(address) });
}

function notFound() {
  return data<Consent>({ kind: 'gone' }, { status: 404 });
}

function errorResponse(args: VisitorArgs, error: AuthError) {
  if (isBackendFailure(error)) throw backendUnreachable();
  if (error.code === 'feature_disabled') throw pageNotFound(pagePath(args));
  if (error.status === 401 || error.status === 403 || error.name === 'AuthSessionMissingError') {
    forgetSession(args);
    throw toSignIn(args);
  }
  if (error.status === 429) {
    const { message, status } = describeAuthError(error, args.context.get(languageContext));
    return data<Consent>({ kind: 'problem', message }, { status });
  }
  return notFound();
}
