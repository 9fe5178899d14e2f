/** Signs out, of here or elsewhere. */
import { data, redirect } from 'react-router';
import type { Language } from '../../lib/language.ts';
import { describeAuthError, type PlainError } from '../../session/auth-errors.ts';
import { refused } from '../../session/page-errors.ts';
import { parseSignOutScope } from '../../session/scopes.ts';
import { homeTexts } from '../../texts/home.ts';
import { answeredContext, languageContext, siteContext } from '../request/contexts.server.ts';
import { type VisitorArgs, visitorClient } from '../request/visitor.server.ts';

/** What came of it, unless it sends the visitor away. */
interface SignOutOutcome {
  kind: 'success' | 'error';
  message: string;
}

/** Carries out the form's `scope`. Whoever is no longer signed in here is sent to the login. */
export async function signOut(args: VisitorArgs) {
  const scope = parseSignOutScope((await args.request.formData()).get('scope'));
  if (!scope) throw refused({ status: 400, code: 'unclearForm' });
  args.context.set(answeredContext, true);
  const client = await visitorClient(args);
  const { error } = await client.auth.signOut({ scope });
  // This device is signed out even where the backend could not be told: its cookies are gone.
  const language = args.context.get(languageContext);
  if (error && scope !== 'local') return failure(describeAuthError(error, language), language);
  if (scope !== 'others') return redirect(args.context.get(siteContext).options.guard.login);
  return data<SignOutOutcome>({ kind: 'success', message: homeTexts[language].signedOutOthers });
}

function failure({ message, status }: PlainError, language: Language) {
  const text = homeTexts[language].stillSignedIn(message);
  return data<SignOutOutcome>({ kind: 'error', message: text }, { status });
}
