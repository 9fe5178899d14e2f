/** Changes of what somebody signs in with: address and password. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { describeAuthError } from '../login/auth-errors.ts';
import { checkIdentifier, MAX_PASSWORD_BYTES } from '../login/credentials.ts';
import { MIN_PASSWORD_CHARACTERS } from '../login/login-view.ts';
import { languageContext, siteContext } from '../request/contexts.server.ts';
import { pageUrl, type VisitorArgs } from '../request/visitor.server.ts';
import { accountTexts } from '../texts/account.ts';
import { loginProblemTexts, type ProblemTexts } from '../texts/login-problems.ts';
import { fieldOf, outcome, refuse } from './outcome.server.ts';

/** A new address counts once it is confirmed. */
export async function changeEmail(args: VisitorArgs, form: FormData, { auth }: SupabaseClient) {
  const language = args.context.get(languageContext);
  const typed = fieldOf(form, 'email');
  const check = checkIdentifier('email', typed, loginProblemTexts[language]);
  if (check.problem !== undefined) {
    return outcome({ section: 'email', problem: check.problem, typed }, check.status);
  }
  const emailRedirectTo = pageUrl(args.context.get(siteContext).options.guard.callback, args);
  const { data: found, error } = await auth.updateUser({ email: check.address }, { emailRedirectTo });
  if (error) return refuse(args, 'email', error, typed);
  const texts = accountTexts[language].email;
  return outcome({ section: 'email', success: found.user.new_email ? texts.sent : texts.changed }, 200);
}

/** A new password. */
export async function changePassword(args: VisitorArgs, form: FormData, { auth }: SupabaseClient) {
  const language = args.context.get(languageContext);
  const password = String(form.get('password') ?? '');
  const problem = passwordProblem(password, loginProblemTexts[language]);
  if (problem !== undefined) return outcome({ section: 'password', problem }, 422);
  const { error } = await auth.updateUser({ password });
  if (error) return refuse(args, 'password', error);
  return outcome({ section: 'password', success: accountTexts[language].password.changed }, 200);
}

/** Gives an account that has neither its first address and its first password. */
export async function keepAccount(args: VisitorArgs, form: FormData, { auth }: SupabaseClient) {
  const language = args.context.get(languageContext);
  const typed = fieldOf(form, 'email');
  const password = String(form.get('password') ?? '');
  const check = checkIdentifier('email', typed, loginProblemTexts[language]);
  const wrongPassword = passwordProblem(password, loginProblemTexts[language]);
  if (check.problem !== undefined || wrongPassword !== undefined) {
    return outcome({ section: 'keep', ...problemsOf(check.problem, wrongPassword), typed }, 422);
  }
  const emailRedirectTo = pageUrl(args.context.get(siteContext).options.guard.callback, args);
  const { data: found, error } = await auth.updateUser(
    { email: check.address, password },
    { emailRedirectTo },
  );
  if (error) {
    const { place, message, status } = describeAuthError(error, language);
    const problems = place === 'password' ? problemsOf(undefined, message) : problemsOf(message, undefined);
    return outcome({ section: 'keep', ...problems, typed }, status);
  }
  const isWaiting = Boolean(found.user.new_email);
  // The token says who is anonymous; a new one is needed to say otherwise.
  if (!isWaiting) await auth.refreshSession();
  const texts = accountTexts[language].keep;
  return outcome({ section: 'keep', success: isWaiting ? texts.sent : texts.kept }, 200);
}

function problemsOf(problem: string | undefined, password: string | undefined) {
  return {
    ...(problem !== undefined && { problem }),
    ...(password !== undefined && { passwordProblem: password }),
  };
}

function passwordProblem(password: string, texts: ProblemTexts): string | undefined {
  if (password === '') return texts.choosePassword;
  if (password.includes('\0')) return texts.badCharacter;
  if ([...password].length < MIN_PASSWORD_CHARACTERS) return texts.shortPassword(MIN_PASSWORD_CHARACTERS);
  const isTooLong = new TextEncoder().encode(password).length > MAX_PASSWORD_BYTES;
  return isTooLong ? texts.longPassword(MAX_PASSWORD_BYTES) : undefined;
}
