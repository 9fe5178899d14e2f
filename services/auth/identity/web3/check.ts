/** Whether a message was signed for this service, and just now. Pure. */

import { isAllowedRedirect } from '../../redirect/allow-list.ts';
import type { AuthConfig } from '../../settings/settings.ts';
import type { SignInMessage } from './message.ts';

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

type PlaceConfig = Pick<AuthConfig, 'redirects' | 'externalUrl'>;

/** What is wrong with a message, in the words of a client's `error_description`, or undefined. */
export function problemWith(
  message: SignInMessage,
  config: PlaceConfig,
  validityMs: number,
  now: Date,
): string | undefined {
  return problemWithPlace(message, config) ?? problemWithTime(message, validityMs, now);
}

/** Until when a message could be used. */
export function lastUseOf({ issuedAt, expiresAt }: SignInMessage, validityMs: number): Date {
  const latest = issuedAt.getTime() + validityMs;
  return new Date(Math.min(latest, expiresAt?.getTime() ?? latest));
}

/** What a page on another site had signed is not taken here: that is what keeps a phishing page out. */
function problemWithPlace({ uri, domain }: SignInMessage, config: PlaceConfig): string | undefined {
  if (!isSecure(uri, config)) return 'Signed message is using URI which does not use HTTPS';
  if (!isAllowedRedirect(uri.href, config)) {
    return 'Signed message is using URI which is not allowed on this server, message was signed for another app';
  }
  const isSame = hostOf(uri.protocol, domain) === uri.host;
  return isSame ? undefined : 'Signed message is using a Domain that does not match the one in URI';
}

/** As browsers see it: this machine needs no TLS. By its address only where that is the one of the site, the app or the API. */
function isSecure({ protocol, hostname, origin }: URL, { redirects, externalUrl }: PlaceConfig): boolean {
  if (protocol === 'https:') return true;
  if (protocol !== 'http:' || !LOOPBACK.test(hostname)) return false;
  const own = [redirects.siteUrl, redirects.appUrl, externalUrl];
  return hostname === 'localhost' || own.some((url) => origin === new URL(url).origin);
}

/** A domain as `URL` writes it: in lower case, without the scheme's own port. */
function hostOf(protocol: string, domain: string): string | undefined {
  const url = `${protocol}//${domain}`;
  return URL.canParse(url) ? new URL(url).host : undefined;
}

function problemWithTime(message: SignInMessage, validityMs: number, now: Date): string | undefined {
  const { issuedAt, notBefore, expiresAt } = message;
  if (notBefore !== undefined && now < notBefore) return 'Signed message becomes valid in the future';
  if (expiresAt !== undefined && now > expiresAt) return 'Signed message is expired';
  const age = now.getTime() - issuedAt.getTime();
  if (age > validityMs) return 'Signed message was issued too long ago';
  if (age < -validityMs) return 'Signed message was issued too far in the future';
  return undefined;
}
