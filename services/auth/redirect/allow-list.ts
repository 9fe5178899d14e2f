/**
 * Validates targets of redirects and links in mails: the site, the app, this machine, and URLs on the allow list. The
 * check and the result use the URL as the URL parser normalizes it, so that a browser cannot interpret it differently.
 */
import type { AuthConfig } from '../settings/settings.ts';
import { compilePattern, type UrlMatcher } from './pattern.ts';
import { isRefusedScheme } from './schemes.ts';

/** Number of characters, before and after parsing. */
const MAX_LENGTH = 2048;
const REGULAR_HOST = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/;
const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]', '0.0.0.0', '[::]']);

type RedirectConfig = Pick<AuthConfig, 'redirects'>;

/** Patterns are compiled once per configuration. */
const compiled = new WeakMap<readonly string[], UrlMatcher[]>();

/** Returns the normalized URL of a client's redirect target; undefined if it is not allowed. Never throws. */
export function allowedRedirect(text: string, config: RedirectConfig): string | undefined {
  if (text.length > MAX_LENGTH || text.includes('\0') || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.href.length > MAX_LENGTH || isNonCanonicalIp(url, text)) return undefined;
  return isAllowed(url, config) ? url.href : undefined;
}

/** Whether a URL is an allowed target. If the URL is used afterwards, use {@link allowedRedirect} instead. */
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

/** Whether the host is an IP address in an unusual notation, e.g. as one number, or consists of digits only. */
function isNonCanonicalIp({ protocol, hostname }: URL, text: string): boolean {
  if (/^\d+$/.test(hostname)) return true;
  return isIpLiteral(hostname) && !text.toLowerCase().startsWith(`${protocol}//${hostname}`);
}

/** `URL` has already normalized numbers in other bases to an address of four parts. */
function isIpLiteral(hostname: string): boolean {
  return hostname.startsWith('[') || /^\d+(?:\.\d+){3}$/.test(hostname);
}

function isLoopback(hostname: string): boolean {
  return hostname === '[::1]' || hostname.startsWith('127.');
}

function matchers(allowList: readonly string[]): UrlMatcher[] {
  const known = compiled.get(allowList);
  if (known !== undefined) return known;
  const patterns = allowList.map(compilePattern);
  compiled.set(allowList, patterns);
  return patterns;
}
