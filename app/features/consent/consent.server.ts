/** The consent page on the server: what an application asks for, and what somebody says to it. */
import type { AuthError } from '@supabase/supabase-js';
import { data } from 'react-router';
import { describeAuthError } from '../../session/auth-errors.ts';
import { isBackendFailure } from '../../session/backend-failure.ts';
import { backendUnreachable, pageNotFound, refused } from '../../session/page-errors.ts';
import { personName } from '../../session/person-name.ts';
import { answeredContext, languageContext, visitContext } from '../../shell/request/contexts.server.ts';
import {
  forgetSession,
  pagePath,
  type VisitorArgs,
  visitorClient,
} from '../../shell/request/visitor.server.ts';
import { answerAddress } from './answer-address.ts';
import { type Application, placeOf, readApplication } from './application.ts';
import { readAuthorizationId } from './authorization-id.ts';
import { requirePerson, toSignIn } from './person.server.ts';
import { splitScopes } from './scope-words.ts';

/** What the page shows. */
export type Consent =
  | { kind: 'question'; application: Application; scopes: string[]; person: string }
  /** An answer is on its way to the application: the browser has to go to `address`, at `place`. */
  | { kind: 'answered'; address: string; place: Application['place'] }
  /** There is nothing (any more) to answer. */
  | { kind: 'gone' }
  | { kind: 'problem'; message: string };

/** Reads the request. Where as much was allowed before, it is answered. */
export async function loadConsent(args: VisitorArgs & { url: URL }) {
  // What came of the form is shown instead; the request is answered, so it could not be read again.
  if (args.context.get(answeredContext)) return null;
  const claims = await requirePerson(args);
  const id = readAuthorizationId(args.url.searchParams);
  if (id === undefined) return gone();
  const { auth } = await visitorClient(args);
  const { data: found, error } = await auth.oauth.getAuthorizationDetails(id);
  if (error) return explain(args, error);
  if ('redirect_url' in found) return answered(found);
  const application = readApplication(found.client, found.redirect_uri);
  args.context.get(visitContext).pictureOrigin = application.logo && new URL(application.logo).origin;
  const person = personName(claims);
  return data<Consent>({ kind: 'question', application, scopes: splitScopes(found.scope), person });
}

/** Says yes or no for whoever has pressed a button. */
export async function decideConsent(args: VisitorArgs & { url: URL }) {
  const decision = (await args.request.formData()).get('decision');
  if (decision !== 'approve' && decision !== 'deny') throw refused({ status: 400, code: 'unclearForm' });
  await requirePerson(args);
  args.context.set(answeredContext, true);
  const id = readAuthorizationId(args.url.searchParams);
  if (id === undefined) return gone();
  const { auth } = await visitorClient(args);
  const options = { skipBrowserRedirect: true };
  const { data: answer, error } =
    decision === 'approve'
      ? await auth.oauth.approveAuthorization(id, options)
      : await auth.oauth.denyAuthorization(id, options);
  return error ? explain(args, error) : answered(answer);
}

/** The browser is not sent there by the answer: a form may lead to this site only, and so may what it leads to. */
function answered(answer: unknown) {
  const address = answerAddress(answer);
  return address === undefined
    ? gone()
    : data<Consent>({ kind: 'answered', address, place: placeOf(address) });
}

function gone() {
  return data<Consent>({ kind: 'gone' }, { status: 404 });
}

function explain(args: VisitorArgs, error: AuthError) {
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
  return gone();
}
