/** Signs out, of here or elsewhere. */
import { data, redirect } from 'react-router';
import { describeAuthError } from '../login/auth-errors.ts';
import { siteContext } from '../request/contexts.server.ts';
import { type VisitorArgs, visitorClient } from '../request/visitor.server.ts';
import { parseSignOutScope } from './scopes.ts';

/** What came of it, unless it sends the visitor away. */
export interface SignOutOutcome {
  kind: 'success' | 'error';
  message: string;
}

/** Carries out the form's `scope`. Whoever is no longer signed in here is sent to the login. */
export async function signOut(args: VisitorArgs) {
  const scope = parseSignOutScope((await args.request.formData()).get('scope'));
  if (!scope) throw data({ message: 'This form does not say what to do.' }, { status: 400 });
  const client = await visitorClient(args);
  const { error } = await client.auth.signOut({ scope });
  // This device is signed out even where the backend could not be told: its cookies are gone.
  if (error && scope !== 'local') return failure(error);
  if (scope !== 'others') return redirect(args.context.get(siteContext).options.guard.login);
  return data<SignOutOutcome>({ kind: 'success', message: 'Signed out other devices.' });
}

function failure(error: Parameters<typeof describeAuthError>[0]) {
  const { message, status } = describeAuthError(error);
  return data<SignOutOutcome>({ kind: 'error', message: `You are still signed in. ${message}` }, { status });
}
