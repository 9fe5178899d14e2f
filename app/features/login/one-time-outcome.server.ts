/** What the pages without a password show after a form was sent, and how an answer becomes that. */
import { data } from 'react-router';
import { type AuthFailure, describeAuthError } from '../../session/auth-errors.ts';
import { languageContext } from '../../shell/request/contexts.server.ts';
import type { VisitorArgs } from '../../shell/request/visitor.server.ts';
import { oneTimeTexts } from '../../texts/one-time.ts';

/** What the page shows after a form was sent, unless it sends the visitor away. */
export interface OneTimeOutcome {
  problems?: { form?: string; identifier?: string; code?: string; recoveryCode?: string };
  /** What was typed. */
  identifier?: string;
  /** A code is on its way: the form for it is shown. */
  isSent?: boolean;
  /** A code is on its way to a phone that is a second factor. */
  phone?: { factorId: string; challengeId: string };
}

/** What was typed as a code, without what only makes it readable. */
export function codeOf(form: FormData): string {
  return String(form.get('code') ?? '')
    .replace(/[\s-]/g, '')
    .slice(0, 64);
}

/** An error of the backend as an outcome. `isSent`: a code was asked for, not an address. */
export function refuse(args: VisitorArgs, error: AuthFailure, identifier: string, isSent: boolean) {
  const language = args.context.get(languageContext);
  if (isSent && error.code === 'otp_expired') {
    const problems = { code: oneTimeTexts[language].wrongCode };
    return outcome({ problems, identifier, isSent }, 403);
  }
  const { place, message, status } = describeAuthError(error, language);
  const problems = place === 'identifier' && !isSent ? { identifier: message } : { form: message };
  return outcome({ problems, identifier, isSent }, status);
}

/** An outcome with its HTTP status. */
export function outcome(value: OneTimeOutcome, status: number) {
  return data(value, { status });
}
