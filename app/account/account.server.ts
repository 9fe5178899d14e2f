/** The account page on the server: what it shows, and what its forms do. All by the official client. */
import type { Factor, SupabaseClient, User } from '@supabase/supabase-js';
import { data, redirect } from 'react-router';
import { backendUnreachable, refused } from '../errors/page-errors.ts';
import { type AuthFailure, describeAuthError } from '../login/auth-errors.ts';
import { checkIdentifier, MAX_PASSWORD_BYTES } from '../login/credentials.ts';
import { MIN_PASSWORD_CHARACTERS } from '../login/login-view.ts';
import { languageContext, sessionContext, siteContext } from '../request/contexts.server.ts';
import { pageUrl, type VisitorArgs, visitorClient } from '../request/visitor.server.ts';
import { isBackendFailure } from '../session/backend-failure.ts';
import { accountTexts } from '../texts/account.ts';
import { loginProblemTexts } from '../texts/login-problems.ts';
import { oneTimeTexts } from '../texts/one-time.ts';

/** What the page shows. */
export interface Account {
  email: string;
  /** Wanted, and not confirmed yet. */
  newEmail: string | undefined;
  factors: { id: string; name: string; createdAt: string }[];
  /** A second factor exists and was not shown in this session: little can be changed. */
  mustProve: boolean;
}

/** The parts of the page that forms belong to. */
export type AccountSection = 'email' | 'password' | 'factors';

/** An app that is being set up. */
export interface Enrollment {
  factorId: string;
  /** SVG. */
  qrCode: string;
  secret: string;
}

/** What came of a form. */
export interface AccountOutcome {
  section: AccountSection;
  success?: string;
  /** What is wrong with the field, or with the whole. */
  problem?: string;
  /** What was typed, but for passwords. */
  typed?: string;
  enrollment?: Enrollment;
}

/** Reads the account. Throws a redirect to the login for somebody who no longer exists. */
export async function loadAccount(args: VisitorArgs): Promise<Account> {
  const { auth } = await visitorClient(args);
  const { data: found, error } = await auth.getUser();
  if (error && isBackendFailure(error)) throw backendUnreachable();
  if (!found.user) throw redirect(args.context.get(siteContext).options.guard.login);
  const factors = verifiedApps(found.user);
  return {
    email: found.user.email ?? '',
    newEmail: found.user.new_email,
    factors: factors.map(({ id, friendly_name, created_at }) => ({
      id,
      name: friendly_name ?? '',
      createdAt: created_at,
    })),
    mustProve: factors.length > 0 && args.context.get(sessionContext)?.claims.aal !== 'aal2',
  };
}

function verifiedApps({ factors = [] }: User): Factor[] {
  return factors.filter(({ status, factor_type }) => status === 'verified' && factor_type === 'totp');
}

/** Carries out what the form's `intent` names. */
export async function changeAccount(args: VisitorArgs) {
  const form = await args.request.formData();
  const intent = String(form.get('intent') ?? '');
  const change = Object.hasOwn(CHANGES, intent) ? CHANGES[intent as keyof typeof CHANGES] : undefined;
  if (change === undefined) throw refused({ status: 400, code: 'unclearForm' });
  return change(args, form, await visitorClient(args));
}

const CHANGES = {
  email: changeEmail,
  password: changePassword,
  enroll: enrollApp,
  confirm: confirmApp,
  remove: removeFactor,
  cancel: cancelEnrollment,
};

async function changeEmail(args: VisitorArgs, form: FormData, { auth }: SupabaseClient) {
  const language = args.context.get(languageContext);
  const typed = String(form.get('email') ?? '').slice(0, 320);
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

async function changePassword(args: VisitorArgs, form: FormData, { auth }: SupabaseClient) {
  const language = args.context.get(languageContext);
  const password = String(form.get('password') ?? '');
  const problem = passwordProblem(password, loginProblemTexts[language]);
  if (problem !== undefined) return outcome({ section: 'password', problem }, 422);
  const { error } = await auth.updateUser({ password });
  if (error) return refuse(args, 'password', error);
  return outcome({ section: 'password', success: accountTexts[language].password.changed }, 200);
}

function passwordProblem(
  password: string,
  texts: (typeof loginProblemTexts)['en'] | (typeof loginProblemTexts)['de'],
): string | undefined {
  if (password === '') return texts.choosePassword;
  if (password.includes('\0')) return texts.badCharacter;
  if ([...password].length < MIN_PASSWORD_CHARACTERS) return texts.shortPassword(MIN_PASSWORD_CHARACTERS);
  const isTooLong = new TextEncoder().encode(password).length > MAX_PASSWORD_BYTES;
  return isTooLong ? texts.longPassword(MAX_PASSWORD_BYTES) : undefined;
}

/** What was begun before and not finished gives way. */
async function enrollApp(args: VisitorArgs, _form: FormData, { auth }: SupabaseClient) {
  const { data: found } = await auth.mfa.listFactors();
  const unfinished = found?.all.filter(({ status }) => status === 'unverified') ?? [];
  await Promise.all(unfinished.map(({ id }) => auth.mfa.unenroll({ factorId: id })));
  const number = (found?.totp.length ?? 0) + 1;
  const name = accountTexts[args.context.get(languageContext)].factors.app;
  const friendlyName = number === 1 ? name : `${name} ${number}`;
  const { data: factor, error } = await auth.mfa.enroll({ factorType: 'totp', friendlyName });
  if (error) return refuse(args, 'factors', error);
  const { qr_code: qrCode, secret } = factor.totp;
  return outcome({ section: 'factors', enrollment: { factorId: factor.id, qrCode, secret } }, 200);
}

async function confirmApp(args: VisitorArgs, form: FormData, { auth }: SupabaseClient) {
  const language = args.context.get(languageContext);
  const texts = accountTexts[language].factors;
  const field = (name: string) => String(form.get(name) ?? '');
  const enrollment = {
    factorId: field('factorId'),
    qrCode: pictureOf(field('qrCode')),
    secret: field('secret'),
  };
  const code = field('code').replace(/[\s-]/g, '');
  if (code === '') {
    return outcome({ section: 'factors', problem: oneTimeTexts[language].enterCode, enrollment }, 400);
  }
  const { error } = await auth.mfa.challengeAndVerify({ factorId: enrollment.factorId, code });
  if (error?.code === 'mfa_verification_failed') {
    return outcome({ section: 'factors', problem: texts.wrongCode, enrollment }, 422);
  }
  if (error) return refuse(args, 'factors', error);
  return outcome({ section: 'factors', success: texts.added }, 200);
}

/** It comes back from the form: nothing but a picture in itself may be shown. */
function pictureOf(text: string): string {
  return text.startsWith('data:image/svg+xml') ? text : '';
}

async function removeFactor(args: VisitorArgs, form: FormData, { auth }: SupabaseClient) {
  const { error } = await auth.mfa.unenroll({ factorId: String(form.get('factorId') ?? '') });
  if (error) return refuse(args, 'factors', error);
  // The session falls back to aal1; its token says so after a refresh.
  await auth.refreshSession();
  const texts = accountTexts[args.context.get(languageContext)].factors;
  return outcome({ section: 'factors', success: texts.removed }, 200);
}

async function cancelEnrollment(_args: VisitorArgs, form: FormData, { auth }: SupabaseClient) {
  await auth.mfa.unenroll({ factorId: String(form.get('factorId') ?? '') });
  return outcome({ section: 'factors' }, 200);
}

function refuse(args: VisitorArgs, section: AccountSection, error: AuthFailure, typed?: string) {
  const language = args.context.get(languageContext);
  const { message, status } = describeAuthError(error, language);
  const needsProof = error.code === 'insufficient_aal';
  const problem = needsProof ? accountTexts[language].factors.proveFirst : message;
  return outcome({ section, problem, ...(typed === undefined ? {} : { typed }) }, status);
}

function outcome(value: AccountOutcome, status: number) {
  return data(value, { status });
}
