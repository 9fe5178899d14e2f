/** Where a link may send somebody: to the site itself, to this machine, and where the allow list says. */
import type { AuthConfig } from '@greenroom/config';
import { compileGlob } from './glob.ts';

/** Longer ones are refused before any pattern is tried on them. */
const MAX_LENGTH = 2048;
/** An IP address as one number, which `URL` would write out. */
const NUMBER_AS_HOST = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#]*@)?\d+(?:[:/?#]|$)/i;
const REGULAR_HOST = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i;
const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]', '0.0.0.0', '[::]']);

/** Patterns are compiled once per configuration. */
const compiled = new WeakMap<readonly string[], RegExp[]>();

/** Whether a URL may be redirected to (GoTrue's rules; RFC 8252 §7.3 for the ports of native apps). */
export function isAllowedRedirect(url: string, { redirects }: Pick<AuthConfig, 'redirects'>): boolean {
  if (url.length > MAX_LENGTH || url.includes('\0') || !URL.canParse(url)) return false;
  const target = new URL(url);
  if (isSameSite(target, new URL(redirects.siteUrl))) return true;
  if (isScript(target)) return false;
  const { hostname } = target;
  if (NUMBER_AS_HOST.test(url)) return false;
  if (isIpLiteral(hostname)) return isLoopback(hostname);
  if (isHttp(target) && !REGULAR_HOST.test(hostname)) return false;
  const [withoutFragment = ''] = url.split('#', 1);
  return patterns(redirects.allowList).some((pattern) => pattern.test(withoutFragment));
}

function isSameSite(target: URL, site: URL): boolean {
  const isSameHost = target.hostname === site.hostname && target.protocol === site.protocol;
  return isSameHost && (target.port === site.port || LOOPBACK_HOSTS.has(target.hostname));
}

/** Never, whatever the list says: these run in the page that opens them. */
function isScript({ protocol }: URL): boolean {
  return protocol === 'javascript:' || protocol === 'data:' || protocol === 'vbscript:';
}

function isHttp({ protocol }: URL): boolean {
  return protocol === 'http:' || protocol === 'https:';
}

/** `URL` has already written numbers in other bases as an address of four parts. */
function isIpLiteral(hostname: string): boolean {
  return hostname.startsWith('[') || /^\d+(?:\.\d+){3}$/.test(hostname);
}

function isLoopback(hostname: string): boolean {
  return hostname === '[::1]' || hostname.startsWith('127.');
}

function patterns(allowList: readonly string[]): RegExp[] {
  const known = compiled.get(allowList);
  if (known !== undefined) return known;
  const made = allowList.map(compileGlob);
  compiled.set(allowList, made);
  return made;
}
