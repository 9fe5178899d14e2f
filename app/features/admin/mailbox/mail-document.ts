/**
 * The HTML of a mail as a document of its own, for a frame. Whoever wrote the mail is nobody of this site: nothing in it
 * runs, is sent anywhere or is fetched, and it has no origin, so that it reaches no cookie and no page. Pages' own policy
 * would not do: mails have their styles in the elements.
 */

/** What the frame may do: its links open in a new tab, which is as any other. Said by the frame and by the document. */
export const MAIL_SANDBOX = 'allow-popups allow-popups-to-escape-sandbox';

const POLICY = [
  `sandbox ${MAIL_SANDBOX}`,
  "default-src 'none'",
  // Pictures from elsewhere would tell their server that the mail was read.
  'img-src data:',
  "style-src 'unsafe-inline'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');

/** Headers for it; they take the place of those that pages have. */
export const MAIL_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': POLICY,
  'x-frame-options': 'SAMEORIGIN',
  'referrer-policy': 'no-referrer',
  'cache-control': 'private, no-store',
} as const;

const NEW_TAB = '<base target="_blank">';

/** Links are opened beside the frame: inside of it they would be used up and show nothing. */
export function mailDocument(html: string): string {
  const head = /<head(?:\s[^>]*)?>/i.exec(html);
  if (!head) return `<!doctype html>${NEW_TAB}${html}`;
  const inside = head.index + head[0].length;
  return html.slice(0, inside) + NEW_TAB + html.slice(inside);
}
