/** Changes the email address of an account, and converts an anonymous account to a permanent one. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { describeAuthError } from '../../session/auth-errors.ts';
import { languageContext, siteContext } from '../../shell/request/contexts.server.ts';
import { pageUrl, renewSession, type VisitorArgs } from '../../shell/request/visitor.server.ts';
import { accountTexts } from '../../texts/account.ts';
import { loginProblemTexts } from '../../texts/login-problems.ts';
import { checkIdentifier } from '../login/credentials.ts';
import { weaknessOf } from '../login/weak-password.ts';
import { fieldOf, outcome, refuse } from './outcome.server.ts';
import { passwordProblem } from './password.server.ts';

/** Requests a new email address, which takes effect when it is confirmed. */
export async function changeEmail(args: VisitorArgs, form: FormData, client: SupabaseClient) {
  const typed = fieldOf(form, 'email');
  const check = checkIdentifier('email', typed, loginProblemTexts[args.context.get(languageContext)]);
  if (check.problem !== undefined) {
    return outcome({ card: 'email', problem: check.problem, typed }, check.status);
  }
  return requestEmail(args, client, check.address, typed);
}

/** Resends the messages about the pending email address. */
export async function resendEmail(args: VisitorArgs, _form: FormData, client: SupabaseClient) {
  const { data: found } = await client.auth.getUser();
  const waiting = found.user?.new_email;
  if (waiting) return requestEmail(args, client, waiting);
  const problem = accountTexts[args.context.get(languageContext)].email.nonePending;
  return outcome({ card: 'email', problem }, 409);
}

/** `typed` is the user's input; undefined if there was none. */
async function requestEmail(args: VisitorArgs, client: SupabaseClient, email: string, typed?: string) {
  const emailRedirectTo = pageUrl(args.context.get(siteContext).options.guard.callback, args);
  const { data: found, error } = await client.auth.updateUser({ email }, { emailRedirectTo });
  if (error) return refuse(args, 'email', error, typed);
  const texts = accountTexts[args.context.get(languageContext)].email;
  if (found.user.new_email) return outcome({ card: 'email', success: texts.sent }, 200);
  await renewSession(args, client);
  return outcome({ card: 'email', success: texts.changed }, 200);
}

/** Sets the first email address and password of an anonymous account. */
export async function convertGuest(args: VisitorArgs, form: FormData, client: SupabaseClient) {
  const language = args.context.get(languageContext);
  const typed = fieldOf(form, 'email');
  const password = String(form.get('password') ?? '');
  const check = checkIdentifier('email', typed, loginProblemTexts[language]);
  const wrongPassword = passwordProblem(password, loginProblemTexts[language]);
  if (check.problem !== undefined || wrongPassword !== undefined) {
    return outcome({ card: 'guest', ...problemsOf(check.problem, wrongPassword), typed }, 422);
  }
  const emailRedirectTo = pageUrl(args.context.get(siteContext).options.guard.callback, args);
  const { data: found, error } = await client.auth.updateUser(
    { email: check.address, password },
    { emailRedirectTo },
  );
  if (error) {
    const { field, message, status } = describeAuthError(error, language);
    const problems = field === 'password' ? problemsOf(undefined, message) : problemsOf(message, undefined);
    return outcome({ card: 'guest', ...problems, ...weaknessOf(error, language), typed }, status);
  }
  const isWaiting = Boolean(found.user.new_email);
  // The token contains `is_anonymous`; a refresh updates it.
  if (!isWaiting) await renewSession(args, client);
  const texts = accountTexts[language].guest;
  return outcome({ card: 'guest', success: isWaiting ? texts.sent : texts.saved }, 200);
}

function problemsOf(problem: string | undefined, password: string | undefined) {
  return {
    ...(problem !== undefined && { problem }),
    ...(password !== undefined && { passwordProblem: password }),
  };
}
