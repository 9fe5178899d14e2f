/**
 * Parses the URL of the callback page: a code to exchange, the token of a link of an administrator, an error, the first of two
 * confirmations, or nothing; and the session of a link in a mail of an administrator, which is in the fragment.
 */
import { expectsFragment } from '../../session/link-callback.ts';

const LINK_TYPES = ['recovery', 'magiclink', 'invite'] as const;
type LinkType = (typeof LINK_TYPES)[number];

/** Parameters of the auth service, from the query or the fragment (the fragment has fewer of them). */
export type Callback =
  | { kind: 'code'; code: string }
  | { kind: 'token'; tokenHash: string; type: LinkType }
  | { kind: 'error'; code: string | undefined }
  | { kind: 'other-link' }
  | { kind: 'in-fragment' }
  | { kind: 'nothing' };

/** The session in a fragment. */
export interface FragmentSession {
  refreshToken: string;
  /** Purpose of the link, such as `recovery`; it only selects the next page. */
  type: string;
}

/**
 * Parses the parameters of query or fragment. An error takes precedence over a code. Messages are ignored,
 * because any site can link here.
 */
export function readCallback(parameters: URLSearchParams): Callback {
  const error = parameters.get('error');
  const errorCode = parameters.get('error_code');
  if (error !== null || errorCode !== null || parameters.has('error_description')) {
    return { kind: 'error', code: codeOf(error, errorCode) };
  }
  const code = parameters.get('code');
  if (code) return { kind: 'code', code };
  const tokenHash = parameters.get('token_hash');
  const type = LINK_TYPES.find((known) => known === parameters.get('type'));
  if (tokenHash && type) return { kind: 'token', tokenHash, type };
  // The auth service sends a message only for a change of address that is confirmed by one of two
  // mailboxes.
  if (parameters.has('message')) return { kind: 'other-link' };
  return { kind: expectsFragment(parameters) ? 'in-fragment' : 'nothing' };
}

/** Parses the fragment; undefined if it has no session. The query never has one, because servers log it. */
export function readFragmentSession(fragment: URLSearchParams): FragmentSession | undefined {
  const refreshToken = fragment.get('refresh_token');
  return refreshToken ? { refreshToken, type: fragment.get('type') ?? '' } : undefined;
}

/**
 * Returns the service's own code, except if the user cancelled at the provider: only `error` reports that
 * (RFC 6749 §4.1.2.1).
 */
function codeOf(error: string | null, code: string | null): string | undefined {
  const isCancelled = error === 'access_denied' && code === 'bad_oauth_callback';
  return (isCancelled ? error : (code ?? error)) ?? undefined;
}
