/**
 * The decision of the session guard: which paths are open without a session. The redirect itself is not
 * made here.
 */
import { matchesAny } from './patterns.ts';

/**
 * Paths that the guard protects, and where it redirects to. All entries are patterns; `login` is the
 * redirect target, too.
 */
export interface GuardRules {
  enabled: boolean;
  /** Path of the sign-in page; never guarded. */
  login: string;
  /** Path to which confirmation links and OAuth providers redirect; never guarded. */
  callback: string;
  /** If present and not empty, only these paths are guarded. */
  include: readonly string[] | undefined;
  /** Paths that are not guarded. */
  exclude: readonly string[];
}

/** Decides for one pathname (no query, no hash). */
export function decideGuard(rules: GuardRules, pathname: string, hasSession: boolean): 'pass' | 'to-login' {
  if (!rules.enabled) return 'pass';
  const path = normalizePath(pathname);
  // The router ignores trailing slashes, so the guard checks the path without them, too.
  const paths = [path, withoutSlashesAtEnd(path)];
  if (rules.include?.length && !paths.some((one) => matchesAnyIgnoringCase(rules.include ?? [], one)))
    return 'pass';
  if (isOpenPath(rules, path)) return 'pass';
  return hasSession ? 'pass' : 'to-login';
}

/** Not a regular expression: `/\/+$/` takes quadratic time for many slashes followed by another character. */
function withoutSlashesAtEnd(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

function isOpenPath({ login, callback, exclude }: GuardRules, path: string): boolean {
  return matchesAnyIgnoringCase([login, callback, ...exclude], path);
}

function matchesAnyIgnoringCase(patterns: readonly string[], path: string): boolean {
  return matchesAny(
    patterns.map((pattern) => pattern.toLowerCase()),
    path,
  );
}

/** Normalizes a path like the router: percent-decoded except for slashes, and in lower case. */
function normalizePath(pathname: string): string {
  return pathname.split('/').map(decodeSegment).join('/').toLowerCase();
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment).replaceAll('/', '%2f');
  } catch {
    return segment;
  }
}
