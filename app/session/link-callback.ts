/**
 * The callback page as the target of links in mails that an administrator sends. The recipient's browser has no code verifier, so
 * the auth service leaves the session in the fragment of the URL, which only the browser sees.
 */

const PARAMETER = 'session';
const IN_FRAGMENT = 'fragment';

/** Returns the path of the callback page that expects a session in the fragment. */
export function fragmentCallback(callback: string): string {
  return `${callback}?${PARAMETER}=${IN_FRAGMENT}`;
}

/** Returns whether the page must read the fragment. */
export function expectsFragment(search: URLSearchParams): boolean {
  return search.get(PARAMETER) === IN_FRAGMENT;
}
