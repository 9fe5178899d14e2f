/** What came of a link, as the page shows it. */

import type { Language } from '../../lib/language.ts';
import { describeLinkError } from '../../session/auth-errors.ts';
import type { Callback } from './callback.ts';

/** What the page says when it sends nobody on. */
export type Finding =
  | { kind: 'nothing' }
  /** A change of address waits for the link in the other mailbox. */
  | { kind: 'halfway' }
  | {
      kind: 'problem';
      text: string;
      /** The link is over: another way to the same place is a code by mail. */
      isOver: boolean;
    };

/** Codes of links that were used, or are too old. */
const OVER: ReadonlySet<string> = new Set([
  'otp_expired',
  'flow_state_expired',
  'flow_state_not_found',
  'flow_state_already_used',
  'bad_code_verifier',
  'pkce_code_verifier_not_found',
]);

/** A problem in these words. */
export function problemOf(code: string | undefined, text: string): Finding {
  return { kind: 'problem', text, isOver: code !== undefined && OVER.has(code) };
}

/** What an address alone says: what comes of its code only the server knows. */
export function findingOf(callback: Callback, language: Language): Finding {
  if (callback.kind === 'error') {
    return problemOf(callback.code, describeLinkError(callback.code, language).message);
  }
  return { kind: callback.kind === 'halfway' ? 'halfway' : 'nothing' };
}
