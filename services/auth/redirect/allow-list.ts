/**
 * Where this service may send a browser, or lead a link of a mail: to the site and the app, to this machine, and where the
 * allow list says. A URL is judged in the form that the URL parser gives it, and that form is what is used afterwards,
 * so that a browser cannot read it as another one.
 */
import type { AuthConfig } from '../settings/settings.ts';
import { compilePattern, type UrlMatcher } from './pattern.ts';
import { isRefusedScheme } from './schemes.ts';

/** In characters, before and after parsing. */
const MAX_LENGTH = 2048;
const REGULAR_HOST = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/;
const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]', '0.0.0.0', '[::]']);

type RedirectConfig = Pick<AuthConfig, 'redirects'>;

/** Patterns are compiled once per configuration. */
const compiled = new WeakMap<readonly string[], UrlMatcher[]>();

/** The URL to use for one that a client names, normalised; undefined where it is not allowed. Never throws. */
export function allowedRedirect(text: string, config: RedirectConfig): string | undefined {
  if (text.length > MAX_LENGTH || text.includes('\0') || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.href.length > MAX_LENGTH || isDisguisedAddress(url, text)) return undefined;
  return isAllowed(url, config) ? url.href : undefined;
}

/** Whether a URL may be redirected to. Use {@link allowedRedirect} wherever the URL itself goes on. */
export function isAllowedRedirect(text: string, config: RedirectConfig): boolean {
  return allowedRedirect(text, config) !== undefined;
}

/** GoTrue's rules; RFC 8252 §7.3 for the ports of native apps. */
function isAllowed(url: URL, { redirects }: RedirectConfig): boolean {
  if (isRefusedScheme(url.protocol) || url.username !== '' || url.password !== '') return false;
  if ([redirects.siteUrl, redirects.appUrl].some((own) => isSameSite(url, new URL(own)))) return true;
  const { hostname } = url;
  if (isIpLiteral(hostname)) return isHttp(url) && isLoopback(hostname);
  if (isHttp(url) && !REGULAR_HOST.test(hostname)) return false;
  return matchers(redirects.allowList).some((matches) => matches(url));
}

function isSameSite(target: URL, site: URL): boolean {
  const isSameHost = target.hostname === site.hostname && target.protocol === site.protocol;
  return isSameHost && (target.port === site.port || LOOPBACK_HOSTS.has(target.hostname));
}

function isHttp({ protocol }: URL): boolean {
  return protocol === 'http:' || protocol === 'https:';
}

/** An IP address that is written in another way than `URL` writes it, e.g. as one number, or a host of digits only. */
function isDisguisedAddress({ protocol, hostname }: URL, text: string): boolean {
  if (/^\d+$/.test(hostname)) return true;
  return isIpLiteral(hostname) && !text.toLowerCase().startsWith(`${protocol}//${hostname}`);
}

/** `URL` has already written numbers in other bases as an address of four parts. */
function isIpLiteral(hostname: string): boolean {
  return hostname.startsWith('[') || /^\d+(?:\.\d+){3}$/.test(hostname);
}

function isLoopback(hostname: string): boolean {
  return hostname === '[::1]' || hostname.startsWith('127.');
}

function matchers(allowList: readonly string[]): UrlMatcher[] {
  const known = compiled.get(allowList);
  if (known !== undefined) return known;
  const made = allowList.map(compilePattern);
  compiled.set(allowList, made);
  return made;
}
