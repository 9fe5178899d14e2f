/** What the sign-in page shows after a form was sent. */

import type { Identifier } from '../../session/login-view.ts';
import type { LoginProblems } from './credentials.ts';
import type { PasswordRule } from './password-rules.ts';

/** What the page shows after a form was sent, unless it sends the visitor away. */
export interface LoginOutcome {
  problems?: LoginProblems;
  /** What a password that was refused lacks. */
  rules?: PasswordRule[];
  /** What was typed; the password is never sent back. */
  identifier?: string;
  /** The account waits for its address to be confirmed. */
  confirmation?: { by: Identifier; to: string };
}
