/** What the account page shows after one of its forms was sent. */
import { data } from 'react-router';
import { type AuthFailure, describeAuthError } from '../../session/auth-errors.ts';
import { languageContext } from '../../shell/request/contexts.server.ts';
import type { VisitorArgs } from '../../shell/request/visitor.server.ts';
import { accountTexts } from '../../texts/account.ts';
import type { PasswordRule } from '../login/password-rules.ts';

/** The parts of the page that forms belong to. */
export type AccountSection =
  | 'profile'
  | 'keep'
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

/** An app that is being set up. */
export interface Enrollment {
  factorId: string;
  /** SVG. */
  qrCode: string;
  secret: string;
}

/** A phone that is being set up: a code is on its way to it. */
export interface PhoneEnrollment {
  factorId: string;
  challengeId: string;
  phone: string;
}

/** What else the backend wants for a new password. */
export interface PasswordAsks {
  /** One that is on its way. */
  code: boolean;
  /** The current password. */
  current: boolean;
}

/** What came of a form. */
export interface AccountOutcome {
  section: AccountSection;
  success?: string;
  /** What is wrong with the field, or with the whole. */
  problem?: string;
  /** What is wrong with the password, where there is another field. */
  passwordProblem?: string;
  /** What a new password that was refused lacks. */
  rules?: PasswordRule[];
  /** What is wrong with a code, with the current password, and with the whole, where there are other fields. */
  codeProblem?: string;
  currentProblem?: string;
  formProblem?: string;
  asks?: PasswordAsks;
  /** What was typed, but for passwords. */
  typed?: string;
  enrollment?: Enrollment;
  phoneEnrollment?: PhoneEnrollment;
  /** Just made; they are shown this once. */
  recoveryCodes?: string[] | undefined;
}

/** An outcome with its HTTP status. */
export function outcome(value: AccountOutcome, status: number) {
  return data(value, { status });
}

/** An error of the backend as an outcome. */
export function refuse(args: VisitorArgs, section: AccountSection, error: AuthFailure, typed?: string) {
  const language = args.context.get(languageContext);
  const { message, status } = describeAuthError(error, language);
  const needsProof = error.code === 'insufficient_aal';
  const problem = needsProof ? accountTexts[language].factors.proveFirst : message;
  return outcome({ section, problem, ...(typed === undefined ? {} : { typed }) }, status);
}

/** A field of a form, as text. */
export function fieldOf(form: FormData, name: string, most = 320): string {
  return String(form.get(name) ?? '').slice(0, most);
}
