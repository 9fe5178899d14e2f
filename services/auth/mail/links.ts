/** Links in mails. They lead to /verify, which completes the flow and redirects the user. */

import type { AuthRequest } from '../contracts/request.ts';
import type { LinkFlow } from '../settings/mail.ts';
import type { AuthConfig } from '../settings/settings.ts';

/** The parts of a link. */
interface LinkParts {
  /** Public URL of the API, without a path. */
  externalUrl: string;
  token: string;
  /** Purpose of the link, e.g. `signup`. */
  type: string;
  /** Target of the redirect by /verify. */
  redirectTo: string;
}

/** Type of a link → flow whose configured path it has, as in GoTrue. */
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

/** Resolves a configured path below the path of the API's URL. The path may already contain it, as in GoTrue. */
function addressOf(link: string, externalUrl: string): URL {
  const base = new URL(externalUrl).pathname.replace(/\/$/, '');
  const isBelow = !link.startsWith('/') || link.startsWith(`${base}/`);
  return new URL(isBelow ? link : base + link, externalUrl);
}

/**
 * The base URL of links for a request: the host of the request (`X-Forwarded-Host`, else `Host`) if
 * GOTRUE_MAILER_EXTERNAL_HOSTS allows it, else the public URL. The scheme is https, except for localhost.
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
