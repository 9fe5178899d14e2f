/** The link that a mail carries: to /verify, which finishes the flow and sends the reader on. */

import type { AuthRequest } from '../contracts/request.ts';
import type { LinkFlow } from '../settings/mail.ts';
import type { AuthConfig } from '../settings/settings.ts';

/** What a link is made of. */
interface LinkParts {
  /** Public URL of the API, without a path. */
  externalUrl: string;
  token: string;
  /** What it is for, e.g. `signup`. */
  type: string;
  /** Where /verify sends the reader. */
  redirectTo: string;
}

/** What a link says that it is for → the flow whose path it has, as with GoTrue. */
const FLOWS: Record<string, LinkFlow> = {
  signup: 'confirmation',
  invite: 'invite',
  recovery: 'recovery',
  magiclink: 'recovery',
  email_change: 'email_change',
};

/** The link of a one-time token. */
export function confirmationUrl(
  { externalUrl, token, type, redirectTo }: LinkParts,
  { linkPaths }: Pick<AuthConfig['mail'], 'linkPaths'>,
): string {
  const url = addressOf(linkPaths[FLOWS[type] ?? 'confirmation'], externalUrl);
  url.search = new URLSearchParams({ token, type, redirect_to: redirectTo }).toString();
  return url.href;
}

/** A path belongs below the path of the API's URL, and may name it already, as with GoTrue. */
function addressOf(link: string, externalUrl: string): URL {
  const base = new URL(externalUrl).pathname.replace(/\/$/, '');
  const isBelow = !link.startsWith('/') || link.startsWith(`${base}/`);
  return new URL(isBelow ? link : base + link, externalUrl);
}

/**
 * The public URL that a request's links begin with: of the host that it names (`X-Forwarded-Host`, else `Host`), if that
 * is one of GOTRUE_MAILER_EXTERNAL_HOSTS. Always https, but for localhost.
 */
export function externalUrlOf(
  { externalUrl, mail }: Pick<AuthConfig, 'externalUrl' | 'mail'>,
  request: Pick<AuthRequest, 'header'>,
): string {
  const named = request.header('x-forwarded-host') || request.header('host') || '';
  const host = mail.externalHosts.find((known) => known === named || known === named.replace(/:\d+$/, ''));
  if (host === undefined) return externalUrl;
  const isLocal = /^localhost(:\d+)?$/.test(host) && request.header('x-forwarded-proto') !== 'https';
  return `${isLocal ? 'http' : 'https'}://${host}${new URL(externalUrl).pathname.replace(/\/$/, '')}`;
}
