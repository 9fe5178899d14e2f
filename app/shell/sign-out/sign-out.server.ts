/** Signs out on this device or others. */
import { data, redirect } from 'react-router';
import type { Language } from '../../lib/language.ts';
import { describeAuthError, type PlainError } from '../../session/auth-errors.ts';
import { isImpersonated } from '../../session/claims.ts';
import { refused } from '../../session/page-errors.ts';
import { parseSignOutScope } from '../../session/scopes.ts';
import { signOutTexts } from '../../texts/sign-out.ts';
import { endImpersonation } from '../impersonation/end-impersonation.server.ts';
import {
  actionRanContext,
  languageContext,
  sessionContext,
  siteContext,
} from '../request/contexts.server.ts';
import { type VisitorArgs, visitorClient } from '../request/visitor.server.ts';

/** The result, unless the visitor is redirected. */
type SignOutOutcome = {
  kind: 'success' | 'error';
  message: string;
};

/** Signs out by the form's `scope`. Redirects to the sign-in page if this device is signed out. */
export async function signOut(args: VisitorArgs) {
  const scope = parseSignOutScope((await args.request.formData()).get('scope'));
  if (!scope) throw refused({ status: 400, code: 'unclearForm' });
  // An administrator who uses the site as a user ends only that.
  const claims = args.context.get(sessionContext)?.claims;
  if (claims && isImpersonated(claims)) return endImpersonation(args);
  args.context.set(actionRanContext, true);
  const client = await visitorClient(args);
  const { error } = await client.auth.signOut({ scope });
  // This device is signed out even if the backend could not be reached: its cookies are deleted.
  const language = args.context.get(languageContext);
  if (error && scope !== 'local') return failure(describeAuthError(error, language), language);
  if (scope !== 'others') return redirect(args.context.get(siteContext).options.guard.login);
  return data<SignOutOutcome>({ kind: 'success', message: signOutTexts[language].signedOutOthers });
}

function failure({ message, status }: PlainError, language: Language) {
  const text = signOutTexts[language].signOutFailed(message);
  return data<SignOutOutcome>({ kind: 'error', message: text }, { status });
}
