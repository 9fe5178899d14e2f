/** The link that a mail carries: to /verify, which finishes the flow and sends the reader on. */

/** What a link is made of. */
export interface LinkParts {
  /** Public URL of the API, without a path. */
  externalUrl: string;
  token: string;
  type: string;
  /** Where /verify sends the reader. */
  redirectTo: string;
}

const VERIFY_PATH = '/auth/v1/verify';

/** The link of a one-time token. */
export function confirmationUrl({ externalUrl, token, type, redirectTo }: LinkParts): string {
  const url = new URL(VERIFY_PATH, externalUrl);
  url.search = new URLSearchParams({ token, type, redirect_to: redirectTo }).toString();
  return url.href;
}
