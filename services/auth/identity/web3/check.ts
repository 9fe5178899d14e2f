/** Checks whether a message was signed for this service, and recently. Pure. */

import { isAllowedRedirect } from '../../redirect/allow-list.ts';
import type { AuthConfig } from '../../settings/settings.ts';
import type { SignInMessage } from './message.ts';

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

type OriginConfig = Pick<AuthConfig, 'redirects' | 'externalUrl'>;

/** Returns why a message is not accepted, as an OAuth `error_description`; undefined if it is. */
export function messageProblem(
  message: SignInMessage,
  config: OriginConfig,
  validityMs: number,
  now: Date,
): string | undefined {
  return originProblem(message, config) ?? timeProblem(message, validityMs, now);
}

/** Returns when a message expires. */
export function messageExpiry({ issuedAt, expiresAt }: SignInMessage, validityMs: number): Date {
  const latest = issuedAt.getTime() + validityMs;
  return new Date(Math.min(latest, expiresAt?.getTime() ?? latest));
}

/** Rejects messages signed on other sites, which protects against phishing. */
function originProblem({ uri, domain }: SignInMessage, config: OriginConfig): string | undefined {
  if (!isSecure(uri, config)) return 'Signed message is using URI which does not use HTTPS';
  if (!isAllowedRedirect(uri.href, config)) {
    return 'Signed message is using URI which is not allowed on this server, message was signed for another app';
  }
  const isSame = hostOf(uri.protocol, domain) === uri.host;
  return isSame ? undefined : 'Signed message is using a Domain that does not match the one in URI';
}

/**
 * Follows browsers, which treat localhost as secure without TLS. A loopback IP address must be the origin of
 * the site, the app or the API.
 */
function isSecure({ protocol, hostname, origin }: URL, { redirects, externalUrl }: OriginConfig): boolean {
  if (protocol === 'https:') return true;
  if (protocol !== 'http:' || !LOOPBACK.test(hostname)) return false;
  const own = [redirects.siteUrl, redirects.appUrl, externalUrl];
  return hostname === 'localhost' || own.some((url) => origin === new URL(url).origin);
}

/** Returns a domain as `URL` normalises it: in lower case, without the scheme's default port. */
function hostOf(protocol: string, domain: string): string | undefined {
  const url = `${protocol}//${domain}`;
  return URL.canParse(url) ? new URL(url).host : undefined;
}

function timeProblem(message: SignInMessage, validityMs: number, now: Date): string | undefined {
  const { issuedAt, notBefore, expiresAt } = message;
  if (notBefore !== undefined && now < notBefore) return 'Signed message becomes valid in the future';
  if (expiresAt !== undefined && now > expiresAt) return 'Signed message is expired';
  const age = now.getTime() - issuedAt.getTime();
  if (age > validityMs) return 'Signed message was issued too long ago';
  if (age < -validityMs) return 'Signed message was issued too far in the future';
  return undefined;
}
