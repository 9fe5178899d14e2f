/** The result of a link for the page. */

import type { Language } from '../../lib/language.ts';
import { describeLinkError } from '../../session/auth-errors.ts';
import { type Callback, type FragmentSession, readCallback, readFragmentSession } from './callback.ts';

/** The result that the page shows if it does not redirect. */
export type LinkResult =
  | { kind: 'nothing' }
  /** The browser must read the fragment. */
  | { kind: 'in-fragment' }
  /** A change of address waits for the link in the other mailbox. */
  | { kind: 'other-link' }
  | {
      kind: 'problem';
      text: string;
      /** The link has expired or was used: the user can request a code by email instead. */
      isExpired: boolean;
    };

/** Error codes of links that were used, or have expired. */
const EXPIRED: ReadonlySet<string> = new Set([
  'otp_expired',
  'flow_state_expired',
  'flow_state_not_found',
  'flow_state_already_used',
  'bad_code_verifier',
  'pkce_code_verifier_not_found',
]);

/** Returns a problem with this text. */
export function problemOf(code: string | undefined, text: string): LinkResult {
  return { kind: 'problem', text, isExpired: code !== undefined && EXPIRED.has(code) };
}

/** Returns the result that follows from the URL alone, without exchanging a code. */
export function linkResultOf(callback: Callback, language: Language): LinkResult {
  if (callback.kind === 'error') {
    return problemOf(callback.code, describeLinkError(callback.code, language).message);
  }
  if (callback.kind === 'other-link' || callback.kind === 'in-fragment') return { kind: callback.kind };
  return { kind: 'nothing' };
}

/**
 * Returns the result for the page, or the session in the fragment. @param result the server's, which does not receive the fragment
 * @param fragment undefined until the page has become interactive
 */
export function resultInBrowser(
  result: LinkResult,
  fragment: string | undefined,
  language: Language,
): LinkResult | { kind: 'session'; session: FragmentSession } {
  const isOpen = result.kind === 'nothing' || result.kind === 'in-fragment';
  if (!isOpen || fragment === undefined) return result;
  const parameters = new URLSearchParams(fragment);
  const session = readFragmentSession(parameters);
  return session ? { kind: 'session', session } : linkResultOf(readCallback(parameters), language);
}
