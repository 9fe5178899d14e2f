/**
 * Patterns of the redirect allow list. A pattern is split like a URL, and each part matches only its part of the parsed
 * URL: a wildcard in the host cannot match path or query, and the reverse.
 */
import { domainToASCII } from 'node:url';
import { compileGlob } from './glob.ts';

/** Whether a pattern allows a URL. Ignores the fragment. */
export type UrlMatcher = (url: URL) => boolean;

const ANY = '**';
const DEFAULT_PORTS: Record<string, string> = { http: ':80', https: ':443' };

/**
 * Compiles a pattern: `scheme://host/path`, `scheme:path` for URLs without a host, or a pattern that begins with `**`
 * and matches any scheme. Each part is a glob. `**` at the end of a pattern without a path allows every path.
 */
export function compilePattern(pattern: string): UrlMatcher {
  const matchers = alternativesOf(pattern).map(compileAlternative);
  return (url) => matchers.some((matches) => matches(url));
}

/** Expands `{a,b}` before the split, because it may span parts, e.g. `{https://a.co,https://b.co}/**`. */
function alternativesOf(pattern: string): string[] {
  const found = /^((?:\\.|[^\\{])*)\{([^{}]*)\}(.*)$/s.exec(pattern);
  if (found === null) return [pattern];
  const [, before = '', choices = '', after = ''] = found;
  return choices.split(',').flatMap((choice) => alternativesOf(before + choice + after));
}

function compileAlternative(pattern: string): UrlMatcher {
  const colon = pattern.indexOf('://');
  if (colon >= 0) return compileParts(pattern.slice(0, colon), pattern.slice(colon + '://'.length));
  if (pattern.startsWith(ANY)) return compileParts(ANY, pattern);
  const [, scheme, path] = /^([^:/]+):(.*)$/s.exec(pattern) ?? [];
  return scheme === undefined || path === undefined ? () => false : compileHostless(scheme, path);
}

function compileParts(scheme: string, rest: string): UrlMatcher {
  const end = endOfHost(rest);
  const host = rest.slice(0, end);
  const path = end === rest.length ? undefined : rest.slice(end);
  const schemes = compileGlob(scheme, 'i');
  const hosts = compileGlob(normalHost(scheme, withoutPathWildcard(host, path)), 'i');
  const paths = compilePath(host, path);
  return (url) =>
    hasAuthority(url) && schemes.test(schemeOf(url)) && hosts.test(url.host) && paths.test(pathOf(url));
}

function compileHostless(scheme: string, path: string): UrlMatcher {
  const schemes = compileGlob(scheme, 'i');
  const paths = compileGlob(encodePath(path));
  return (url) => !hasAuthority(url) && schemes.test(schemeOf(url)) && paths.test(pathOf(url));
}

/** Index of the slash after the host. Ignores slashes in sets, such as `[/]`. */
function endOfHost(rest: string): number {
  const [host = ''] = /^(?:\\.|\[[^\]]*\]|[^/\\])*/s.exec(rest) ?? [];
  return host.length;
}

/** `https://x.co**` means all paths of x.co, not the host x.co.evil.test. */
function withoutPathWildcard(host: string, path: string | undefined): string {
  return path === undefined ? host.replace(/(?<=[\p{L}\p{N}])\*{2,}$/u, '') : host;
}

/** If the pattern allows any host, its `**` also matches the beginning of the path. */
function compilePath(host: string, path: string | undefined): RegExp {
  if (host === ANY) return compileGlob(ANY + encodePath(path ?? ''));
  if (path !== undefined) return compileGlob(encodePath(path));
  return host.endsWith(ANY) ? compileGlob(ANY) : /^\/?$/;
}

/** Normalizes a host like `URL`: Punycode instead of Unicode, and no default port. */
function normalHost(scheme: string, host: string): string {
  const [, name = '', port = ''] = /^(.*?)(:[^:\]]*)?$/s.exec(host) ?? [];
  const labels = name
    .split('.')
    .map((label) => (isUnicodeName(label) ? domainToASCII(label) || label : label));
  return labels.join('.') + (port === DEFAULT_PORTS[scheme.toLowerCase()] ? '' : port);
}

function isUnicodeName(label: string): boolean {
  return /[^\x20-\x7e]/.test(label) && !/[*?[\]{}\\]/.test(label);
}

/** Percent-encodes the characters that `URL` encodes in any path. */
function encodePath(path: string): string {
  return path.replace(/[^\x21-\x7e]+/g, (text) => encodeURI(text.toWellFormed()));
}

function hasAuthority({ href, protocol }: URL): boolean {
  return href.startsWith(`${protocol}//`);
}

function schemeOf({ protocol }: URL): string {
  return protocol.slice(0, -1);
}

function pathOf({ pathname, search }: URL): string {
  return pathname + search;
}
