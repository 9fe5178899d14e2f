/** The result of a form on the account page. */
import { data } from 'react-router';
import { type AuthFailure, describeAuthError } from '../../session/auth-errors.ts';
import { languageContext } from '../../shell/request/contexts.server.ts';
import type { VisitorArgs } from '../../shell/request/visitor.server.ts';
import { accountTexts } from '../../texts/account.ts';
import type { PasswordRule } from '../login/password-rules.ts';

/** The cards of the page that have forms. */
export type AccountCard =
  | 'profile'
  | 'guest'
  | 'email'
  | 'phone'
  | 'password'
  | 'passkeys'
  | 'factors'
  | 'keys'
  | 'phones'
  | 'recovery-codes'
  | 'identities'
  | 'applications'
  | 'sessions'
  | 'deletion';

/** The enrollment of an authenticator app. */
export interface Enrollment {
  factorId: string;
  /** SVG. */
  qrCode: string;
  secret: string;
}

/** The enrollment of a phone, to which a code was sent. */
export interface PhoneEnrollment {
  factorId: string;
  challengeId: string;
  phone: string;
}

/** Additional requirements of the backend for a new password. */
export interface PasswordRequirements {
  /** A code that was sent to the user. */
  code: boolean;
  /** The current password. */
  current: boolean;
}

/** The result of a form. */
export interface AccountOutcome {
  card: AccountCard;
  success?: string;
  /** The problem with the field, or with the whole form. */
  problem?: string;
  /** The problem with the password, if the form has another field. */
  passwordProblem?: string;
  /** The rules that a rejected password violates. */
  rules?: PasswordRule[];
  /**
   * The problems with the code, with the current password, and with the whole form, if it has other fields.
   */
  codeProblem?: string;
  currentProblem?: string;
  formProblem?: string;
  requirements?: PasswordRequirements;
  /** The submitted input, except for passwords. */
  typed?: string;
  enrollment?: Enrollment;
  phoneEnrollment?: PhoneEnrollment;
  /** Codes that were just created; they are shown only once. */
  recoveryCodes?: string[] | undefined;
}

/** Returns an outcome with its HTTP status. */
export function outcome(value: AccountOutcome, status: number) {
  return data(value, { status });
}

/** Converts an error of the backend to an outcome. */
export function refuse(args: VisitorArgs, card: AccountCard, error: AuthFailure, typed?: string) {
  const language = args.context.get(languageContext);
  const { message, status } = describeAuthError(error, language);
  const needsProof = error.code === 'insufficient_aal';
  const problem = needsProof ? accountTexts[language].factors.verifyFirst : message;
  return outcome({ card, problem, ...(typed === undefined ? {} : { typed }) }, status);
}

/** Returns a field of a form as text, cut to `most` characters. */
export function fieldOf(form: FormData, name: string, maxLength = 320): string {
  return String(form.get(name) ?? '').slice(0, maxLength);
}
