/** Validates the URL to which the application's response is sent. The backend has validated it, too. */

/** Schemes that run in the page that opens them, or read local files. */
const DANGEROUS = /^(?:javascript|data|vbscript|file|blob|about|filesystem|view-source):$/;

/** Returns the `redirect_url` of a response; undefined if there is none, or its scheme is dangerous. */
export function responseUrl(response: unknown): string | undefined {
  const address =
    typeof response === 'object' && response !== null && 'redirect_url' in response
      ? response.redirect_url
      : undefined;
  if (typeof address !== 'string' || !URL.canParse(address)) return undefined;
  const { protocol, href } = new URL(address);
  return DANGEROUS.test(protocol) ? undefined : href;
}
