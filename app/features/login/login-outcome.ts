/** The result of a submitted sign-in form. */

import type { Identifier } from '../../session/login-view.ts';
import type { LoginProblems } from './credentials.ts';
import type { PasswordRule } from './password-rules.ts';

/** The result of a submitted form, unless the visitor is redirected. */
export interface LoginOutcome {
  problems?: LoginProblems;
  /** The rules that a rejected password violates. */
  rules?: PasswordRule[];
  /** The submitted address or number; the password is never sent back. */
  identifier?: string;
  /** The account requires a confirmation of its address. */
  confirmation?: { by: Identifier; to: string };
}
