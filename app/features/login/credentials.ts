/** Reads and validates the credentials of the sign-in form. */

import {
  type Identifier,
  type LoginMode,
  type LoginView,
  MIN_PASSWORD_CHARACTERS,
} from '../../session/login-view.ts';
import type { ProblemTexts } from '../../texts/login-problems.ts';

/** Credentials in the official client's format. */
export type Credentials = { email: string; password: string } | { phone: string; password: string };

/** Problems by part of the form. `form` is about the whole. */
export interface LoginProblems {
  form?: string;
  identifier?: string;
  password?: string;
}

/** Either valid credentials, or problems with an HTTP status. */
export type CredentialsCheck =
  | { credentials: Credentials; problems?: undefined }
  | { credentials?: undefined; problems: LoginProblems; status: 400 | 422 };

/** Limit of bcrypt. */
export const MAX_PASSWORD_BYTES = 72;
const MAX_EMAIL_CHARACTERS = 255;

/** Validates the form; messages come from `texts`. The backend validates again, with further rules. */
export function checkCredentials(
  { mode, by }: LoginView,
  form: FormData,
  texts: ProblemTexts,
): CredentialsCheck {
  const identifier = text(form, by).trim();
  const password = text(form, 'password');
  if (!identifier || !password) {
    return { problems: missing({ mode, by }, { identifier, password }, texts), status: 400 };
  }
  const problems = {
    ...problem(
      'identifier',
      by === 'email' ? emailProblem(identifier, texts) : phoneProblem(identifier, texts),
    ),
    ...problem('password', passwordProblem(mode, password, texts)),
  };
  if (Object.keys(problems).length > 0) return { problems, status: 422 };
  if (by === 'email') return { credentials: { email: identifier, password } };
  return { credentials: { phone: toE164(identifier), password } };
}

/** Validates a single email address or phone number: returns it as the backend stores it, or the problem. */
export function checkIdentifier(
  by: Identifier,
  typed: string,
  texts: ProblemTexts,
): { address: string; problem?: undefined } | { address?: undefined; problem: string; status: 400 | 422 } {
  const identifier = typed.trim();
  if (!identifier) return { problem: by === 'email' ? texts.enterEmail : texts.enterPhone, status: 400 };
  const found = by === 'email' ? emailProblem(identifier, texts) : phoneProblem(identifier, texts);
  if (found !== undefined) return { problem: found, status: 422 };
  return { address: by === 'email' ? identifier : toE164(identifier) };
}

function text(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}

function missing(
  { mode, by }: LoginView,
  { identifier, password }: { identifier: string; password: string },
  texts: ProblemTexts,
): LoginProblems {
  return {
    form: texts.missing,
    ...(!identifier && { identifier: by === 'email' ? texts.enterEmail : texts.enterPhone }),
    ...(!password && { password: mode === 'sign-in' ? texts.enterPassword : texts.choosePassword }),
  };
}

function problem(field: keyof LoginProblems, message: string | undefined): LoginProblems {
  return message === undefined ? {} : { [field]: message };
}

function emailProblem(email: string, texts: ProblemTexts): string | undefined {
  if (email.length > MAX_EMAIL_CHARACTERS) return texts.longEmail(MAX_EMAIL_CHARACTERS);
  return /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(email) ? undefined : texts.notAnEmail;
}

function phoneProblem(phone: string, texts: ProblemTexts): string | undefined {
  return /^[1-9][0-9]{6,14}$/.test(toE164(phone)) ? undefined : texts.notAPhone;
}

/** Returns E.164 without the plus sign, as the backend stores it. */
function toE164(phone: string): string {
  return phone.replace(/[\s().-]/g, '').replace(/^(\+|00)/, '');
}

function passwordProblem(mode: LoginMode, password: string, texts: ProblemTexts): string | undefined {
  if (password.includes('\0')) return texts.badCharacter;
  if (mode === 'sign-in') return undefined;
  if ([...password].length < MIN_PASSWORD_CHARACTERS) return texts.shortPassword;
  const isTooLong = new TextEncoder().encode(password).length > MAX_PASSWORD_BYTES;
  return isTooLong ? texts.longPassword(MAX_PASSWORD_BYTES) : undefined;
}
