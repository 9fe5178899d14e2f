/** The server side of the forms without a password: sends a code, verifies a code. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { redirect } from 'react-router';
import { type Identifier, parseLoginView } from '../../session/login-view.ts';
import { NEW_PASSWORD_PATH, type OneTimeMode, oneTimePath } from '../../session/one-time-view.ts';
import { savePath } from '../../session/saved-path.server.ts';
import { cookieContext, languageContext, siteContext } from '../../shell/request/contexts.server.ts';
import {
  pageUrl,
  redirectToSavedPath,
  savedPathSettings,
  type VisitorArgs,
  visitorClient,
} from '../../shell/request/visitor.server.ts';
import { loginProblemTexts } from '../../texts/login-problems.ts';
import { oneTimeTexts } from '../../texts/one-time.ts';
import { captchaOptions } from '../captcha/captcha-field.ts';
import { checkIdentifier } from './credentials.ts';
import { submitFactor } from './factors.server.ts';
import { codeOf, outcome, refuse } from './one-time-outcome.server.ts';

/** Path of the form for a new password after a recovery. */

/** Runs the step that the form names. */
export async function submitOneTime(args: VisitorArgs & { url: URL }, mode: OneTimeMode) {
  const form = await args.request.formData();
  if (mode === 'factor') return submitFactor(args, form);
  const { by } = parseLoginView(args.url.searchParams);
  const identifier = String(form.get(by) ?? '').slice(0, 320);
  const language = args.context.get(languageContext);
  const check = checkIdentifier(by, identifier, loginProblemTexts[language]);
  if (check.problem !== undefined) {
    return outcome({ problems: { identifier: check.problem }, identifier }, check.status);
  }
  const step = { mode, by, identifier, address: check.address };
  return form.get('step') === 'verify' ? verifyCode(args, step, codeOf(form)) : sendCode(args, step, form);
}

/**
 * Redirects users with a second factor to the second step, others to the saved path. @param factors of the
 * user who has just signed in
 */
export function nextAfterSignIn(args: VisitorArgs, factors: readonly { status: string }[] = []) {
  const { guard } = args.context.get(siteContext).options;
  const hasFactor = factors.some(({ status }) => status === 'verified');
  return hasFactor ? redirect(oneTimePath(guard.login, 'factor')) : redirectToSavedPath(args);
}

interface Step {
  mode: 'code' | 'recover';
  by: Identifier;
  /** The submitted text. */
  identifier: string;
  /** The format in which the backend stores it. */
  address: string;
}

async function sendCode(args: VisitorArgs, step: Step, form: FormData) {
  const client = await visitorClient(args);
  const site = args.context.get(siteContext);
  const redirectTo = pageUrl(site.options.guard.callback, args);
  if (step.mode === 'recover') {
    savePath(args.context.get(cookieContext), NEW_PASSWORD_PATH, savedPathSettings(site));
  }
  const error = await send(client, step, { redirectTo, ...captchaOptions(form) });
  if (error) return refuse(args, error, step.identifier, false);
  return outcome({ isSent: true, identifier: step.identifier }, 200);
}

async function send(
  { auth }: SupabaseClient,
  { mode, by, address }: Step,
  options: { redirectTo: string; captchaToken?: string },
) {
  if (mode === 'recover') return (await auth.resetPasswordForEmail(address, options)).error;
  const { redirectTo, ...captcha } = options;
  const to =
    by === 'email'
      ? { email: address, options: { ...captcha, emailRedirectTo: redirectTo } }
      : { phone: address, options: captcha };
  return (await auth.signInWithOtp(to)).error;
}

async function verifyCode(args: VisitorArgs, step: Step, token: string) {
  const language = args.context.get(languageContext);
  if (token === '') {
    const problems = { code: oneTimeTexts[language].enterCode };
    return outcome({ problems, identifier: step.identifier, isSent: true }, 400);
  }
  const { auth } = await visitorClient(args);
  const { data: found, error } = await auth.verifyOtp(
    step.by === 'phone'
      ? { phone: step.address, token, type: 'sms' }
      : { email: step.address, token, type: step.mode === 'recover' ? 'recovery' : 'email' },
  );
  if (error) return refuse(args, error, step.identifier, true);
  return nextAfterSignIn(args, found.user?.factors);
}
