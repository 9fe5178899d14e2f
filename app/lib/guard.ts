/** The session guard's decision: who may see which path without a session. It redirects nobody itself. */
import { matchesAny } from './patterns.ts';

/** Where the guard watches, and where it sends visitors. All entries but `login` as a target are patterns. */
export interface GuardRules {
  enabled: boolean;
  /** Path of the sign-in page; never guarded. */
  login: string;
  /** Path to which confirmation links and other providers lead back; never guarded. */
  callback: string;
  /** When present and not empty, only these paths are guarded. */
  include: readonly string[] | undefined;
  /** These paths are not guarded. */
  exclude: readonly string[];
}

/** Decides for one pathname (no query, no hash). */
export function decideGuard(rules: GuardRules, pathname: string, hasSession: boolean): 'pass' | 'to-login' {
  if (!rules.enabled) return 'pass';
  const path = asRouted(pathname);
  // The router takes a slash at the end for none; a page that is to be guarded is guarded with one, too.
  const paths = [path, withoutSlashesAtEnd(path)];
  if (rules.include?.length && !paths.some((one) => covers(rules.include ?? [], one))) return 'pass';
  if (isOpenPath(rules, path)) return 'pass';
  return hasSession ? 'pass' : 'to-login';
}

/** Not a regular expression: `/\/+$/` takes time in the square of the slashes in front of another character. */
function withoutSlashesAtEnd(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

function isOpenPath({ login, callback, exclude }: GuardRules, path: string): boolean {
  return covers([login, callback, ...exclude], path);
}

function covers(patterns: readonly string[], path: string): boolean {
  return matchesAny(
    patterns.map((pattern) => pattern.toLowerCase()),
    path,
  );
}

/** As the router reads a path: decoded but for slashes, and in any case. */
function asRouted(pathname: string): string {
  return pathname.split('/').map(decodeSegment).join('/').toLowerCase();
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment).replaceAll('/', '%2f');
  } catch {
    return segment;
  }
}
