/**
 * Changes the password. The backend reports further requirements only in its responses: a code that
 * verifies the user again, or the current password. The submitted fields show which ones it has already
 * reported.
 */
import type { SupabaseClient } from '@supabase/supabase-js';
import type { Language } from '../../lib/language.ts';
import { type AuthFailure, describeAuthError } from '../../session/auth-errors.ts';
import { MIN_PASSWORD_CHARACTERS } from '../../session/login-view.ts';
import { languageContext } from '../../shell/request/contexts.server.ts';
import type { VisitorArgs } from '../../shell/request/visitor.server.ts';
import { accountTexts } from '../../texts/account.ts';
import { authErrorTexts } from '../../texts/auth-errors.ts';
import { loginProblemTexts, type ProblemTexts } from '../../texts/login-problems.ts';
import { oneTimeTexts } from '../../texts/one-time.ts';
import { MAX_PASSWORD_BYTES } from '../login/credentials.ts';
import { codeOf } from '../login/one-time-outcome.server.ts';
import { weaknessOf } from '../login/weak-password.ts';
import { type AccountOutcome, outcome, type PasswordRequirements } from './outcome.server.ts';

/** The submitted input. */
interface Typed {
  password: string;
  code: string;
  current: string;
  requirements: PasswordRequirements;
}

type Problems = Pick<AccountOutcome, 'problem' | 'codeProblem' | 'currentProblem' | 'formProblem'>;

/** Changes the password, or asks for the missing fields. */
export async function changePassword(args: VisitorArgs, form: FormData, client: SupabaseClient) {
  const language = args.context.get(languageContext);
  const typed = read(form);
  const { password, code, current, requirements } = typed;
  const problems = problemsOf(typed, language);
  if (Object.keys(problems).length > 0) return outcome({ card: 'password', requirements, ...problems }, 422);
  const { error } = await client.auth.updateUser({
    password,
    ...(code && { nonce: code }),
    ...(current && { current_password: current }),
  });
  if (!error) return outcome({ card: 'password', success: accountTexts[language].password.changed }, 200);
  if (error.code === 'reauthentication_needed') {
    return sendCode(args, client, { ...requirements, code: true });
  }
  return refuse(typed, error, language);
}

/** Sends a code, or another one. */
export function sendPasswordCode(args: VisitorArgs, form: FormData, client: SupabaseClient) {
  return sendCode(args, client, { code: true, current: form.has('current') });
}

async function sendCode(args: VisitorArgs, { auth }: SupabaseClient, requirements: PasswordRequirements) {
  const { error } = await auth.reauthenticate();
  if (!error) return outcome({ card: 'password', requirements }, 200);
  const { message, status } = describeAuthError(error, args.context.get(languageContext));
  // A code that was sent recently is still valid.
  const isSent = error.status === 429;
  return outcome({ card: 'password', formProblem: message, ...(isSent && { requirements }) }, status);
}

function read(form: FormData): Typed {
  return {
    password: String(form.get('password') ?? ''),
    code: codeOf(form),
    current: String(form.get('current') ?? '').slice(0, 1_000),
    requirements: { code: form.has('code'), current: form.has('current') },
  };
}

function problemsOf({ password, code, current, requirements }: Typed, language: Language): Problems {
  const problem = passwordProblem(password, loginProblemTexts[language]);
  return {
    ...(problem !== undefined && { problem }),
    ...(requirements.code && !code && { codeProblem: oneTimeTexts[language].enterCode }),
    ...(requirements.current &&
      !current && { currentProblem: authErrorTexts[language].currentPasswordRequired }),
  };
}

function refuse({ requirements, code }: Typed, error: AuthFailure, language: Language) {
  const { field, message, status } = describeAuthError(error, language);
  const missing = {
    ...requirements,
    current: requirements.current || error.code === 'current_password_required',
  };
  const problems = problemsAfter(error, { field, message });
  // The backend consumes a code even if the request fails for another reason.
  const isUsed = code !== '' && USE_UP_CODES.has(error.code ?? '');
  const used = isUsed ? { codeProblem: accountTexts[language].password.codeUsed } : {};
  const weakness = weaknessOf(error, language);
  return outcome({ card: 'password', requirements: missing, ...problems, ...weakness, ...used }, status);
}

const USE_UP_CODES: ReadonlySet<string> = new Set([
  'current_password_required',
  'current_password_invalid',
  'same_password',
]);

function problemsAfter(
  { code }: AuthFailure,
  { field, message }: { field: string; message: string },
): Problems {
  if (code === 'current_password_required' || code === 'current_password_invalid') {
    return { currentProblem: message };
  }
  if (code === 'reauthentication_not_valid') return { codeProblem: message };
  return field === 'password' ? { problem: message } : { formProblem: message };
}

/** Returns the problem with a new password that the app can detect. */
export function passwordProblem(password: string, texts: ProblemTexts): string | undefined {
  if (password === '') return texts.choosePassword;
  if (password.includes('\0')) return texts.badCharacter;
  if ([...password].length < MIN_PASSWORD_CHARACTERS) return texts.shortPassword;
  const isTooLong = new TextEncoder().encode(password).length > MAX_PASSWORD_BYTES;
  return isTooLong ? texts.longPassword(MAX_PASSWORD_BYTES) : undefined;
}
