/** The result of a submitted form without a password, and its creation from a response. */
import { data } from 'react-router';
import { type AuthFailure, describeAuthError } from '../../session/auth-errors.ts';
import { languageContext } from '../../shell/request/contexts.server.ts';
import type { VisitorArgs } from '../../shell/request/visitor.server.ts';
import { oneTimeTexts } from '../../texts/one-time.ts';

/** The result of a submitted form, unless the visitor is redirected. */
export interface OneTimeOutcome {
  problems?: { form?: string; identifier?: string; code?: string; recoveryCode?: string };
  /** The submitted address or number. */
  identifier?: string;
  /** A code was sent: the form for it is shown. */
  isSent?: boolean;
  /** A code was sent to a phone that is a second factor. */
  phone?: { factorId: string; challengeId: string };
}

/** Returns the submitted code without spaces and hyphens. */
export function codeOf(form: FormData): string {
  return String(form.get('code') ?? '')
    .replace(/[\s-]/g, '')
    .slice(0, 64);
}

/** Converts an error of the backend. `isSent`: the form asked for a code, not for an address. */
export function refuse(args: VisitorArgs, error: AuthFailure, identifier: string, isSent: boolean) {
  const language = args.context.get(languageContext);
  if (isSent && error.code === 'otp_expired') {
    const problems = { code: oneTimeTexts[language].wrongCode };
    return outcome({ problems, identifier, isSent }, 403);
  }
  const { field, message, status } = describeAuthError(error, language);
  const problems = field === 'identifier' && !isSent ? { identifier: message } : { form: message };
  return outcome({ problems, identifier, isSent }, status);
}

/** Returns an outcome with its HTTP status. */
export function outcome(value: OneTimeOutcome, status: number) {
  return data(value, { status });
}
