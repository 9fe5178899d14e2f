/**
 * The HTML of an email as a separate document for a frame. Its content is untrusted: nothing in it can run,
 * be sent or be fetched, and it has an opaque origin, so that it has no access to cookies and pages. The
 * policy of pages cannot be used, because emails have inline styles.
 */

/** Permissions of the frame: links open in a normal new tab. Both the frame and the document set them. */
export const MAIL_SANDBOX = 'allow-popups allow-popups-to-escape-sandbox';

const POLICY = [
  `sandbox ${MAIL_SANDBOX}`,
  "default-src 'none'",
  // Remote images would reveal to their server that the email was read.
  'img-src data:',
  "style-src 'unsafe-inline'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');

/** Headers of the document; they replace those of pages. */
export const MAIL_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': POLICY,
  'x-frame-options': 'SAMEORIGIN',
  'referrer-policy': 'no-referrer',
  'cache-control': 'private, no-store',
} as const;

const NEW_TAB = '<base target="_blank">';

/**
 * Returns the document. Links open in a new tab: inside of the frame, they
 * would show nothing, and one-time links would be used up.
 */
export function mailDocument(html: string): string {
  const head = /<head(?:\s[^>]*)?>/i.exec(html);
  if (!head) return `<!doctype html>${NEW_TAB}${html}`;
  const inside = head.index + head[0].length;
  return html.slice(0, inside) + NEW_TAB + html.slice(inside);
}
