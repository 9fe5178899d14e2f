/** The server side of the sign-in form: calls the backend, and converts its response for the page. */

import type { Provider } from '@supabase/supabase-js';
import { data, redirect } from 'react-router';
import { describeAuthError } from '../../session/auth-errors.ts';
import { type Identifier, type LoginMode, parseLoginView } from '../../session/login-view.ts';
import { languageContext, siteContext } from '../../shell/request/contexts.server.ts';
import { pageUrl, type VisitorArgs, visitorClient } from '../../shell/request/visitor.server.ts';
import { loginProblemTexts } from '../../texts/login-problems.ts';
import { captchaOptions } from '../captcha/captcha-field.ts';
import { type Credentials, checkCredentials, checkIdentifier } from './credentials.ts';
import type { LoginOutcome } from './login-outcome.ts';
import { nextAfterSignIn } from './one-time.server.ts';
import { signInAnonymously } from './sign-in-methods.server.ts';
import { weaknessOf } from './weak-password.ts';

/** Signs in or up; the view in the URL decides. */
export async function submitLogin(args: VisitorArgs & { url: URL }) {
  const view = parseLoginView(args.url.searchParams);
  const form = await args.request.formData();
  if (form.get('intent') === 'anonymous') return signInAnonymously(args, form);
  const identifier = String(form.get(view.by) ?? '').slice(0, 320);
  if (form.get('intent') === 'resend') return resendConfirmation(args, view.by, identifier, form);
  const language = args.context.get(languageContext);
  const check = checkCredentials(view, form, loginProblemTexts[language]);
  if (check.problems) return outcome({ problems: check.problems, identifier }, check.status);
  const { error, user, isSignedIn } = await authenticate(args, view.mode, check.credentials, form);
  if (error) {
    const { field, message, status } = describeAuthError(error, language);
    return outcome({ problems: { [field]: message }, ...weaknessOf(error, language), identifier }, status);
  }
  if (isSignedIn) return nextAfterSignIn(args, user?.factors);
  return outcome({ confirmation: { by: view.by, to: identifier } }, 200);
}

/**
 * Redirects to the sign-in page of an OAuth provider, which redirects to the callback page; or returns the
 * problem.
 */
export async function redirectToProvider(
  args: VisitorArgs,
  provider: string,
): Promise<Response | LoginOutcome> {
  const client = await visitorClient(args);
  const { data: found, error } = await client.auth.signInWithOAuth({
    // The official client's type lists only the providers of its release.
    provider: provider as Provider,
    options: { redirectTo: callbackUrl(args), skipBrowserRedirect: true },
  });
  if (error) {
    const { message } = describeAuthError(error, args.context.get(languageContext));
    return { problems: { form: message } };
  }
  return redirect(browserAddress(found.url, args));
}

async function authenticate(args: VisitorArgs, mode: LoginMode, credentials: Credentials, form: FormData) {
  const captcha = captchaOptions(form);
  const { auth } = await visitorClient(args);
  if (mode === 'sign-in') {
    const { data: found, error } = await auth.signInWithPassword({ ...credentials, options: captcha });
    return { error, user: found.user, isSignedIn: found.session !== null };
  }
  const redirect = 'email' in credentials ? { emailRedirectTo: callbackUrl(args) } : {};
  const { data: found, error } = await auth.signUp({ ...credentials, options: { ...captcha, ...redirect } });
  return { error, user: found.user, isSignedIn: found.session !== null };
}

function outcome(value: LoginOutcome, status: number) {
  return data(value, { status });
}

function callbackUrl(args: VisitorArgs): string {
  return pageUrl(args.context.get(siteContext).options.guard.callback, args);
}

/** Resends the message of a sign-up. The response is the same whether or not a message was sent. */
async function resendConfirmation(args: VisitorArgs, by: Identifier, identifier: string, form: FormData) {
  const language = args.context.get(languageContext);
  const check = checkIdentifier(by, identifier, loginProblemTexts[language]);
  if (check.problem !== undefined) {
    return outcome({ problems: { identifier: check.problem }, identifier }, check.status);
  }
  const { auth } = await visitorClient(args);
  const captcha = captchaOptions(form);
  const { error } = await auth.resend(
    by === 'email'
      ? { type: 'signup', email: check.address, options: { ...captcha, emailRedirectTo: callbackUrl(args) } }
      : { type: 'sms', phone: check.address, options: captcha },
  );
  const confirmation = { by, to: identifier };
  if (!error) return outcome({ confirmation }, 200);
  const { message, status } = describeAuthError(error, language);
  return outcome({ confirmation, problems: { form: message } }, status);
}

/** Returns the URL for browsers: the server may call the backend at a URL that they cannot reach. */
function browserAddress(address: string, args: VisitorArgs): string {
  const { publicApiUrl } = args.context.get(siteContext).options;
  const { pathname, search } = new URL(address);
  const path = pathname + search;
  return publicApiUrl === undefined ? pageUrl(path, args) : new URL(path, publicApiUrl).href;
}
