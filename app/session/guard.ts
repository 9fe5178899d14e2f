/** The session guard's decision: who may see which path without a session. It redirects nobody itself. */
import { matchesAny, matchesPattern } from './patterns.ts';

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
export function decideGuard(rules: GuardRules, path: string, hasSession: boolean): 'pass' | 'to-login' {
  if (!rules.enabled) return 'pass';
  if (rules.include?.length && !matchesAny(rules.include, path)) return 'pass';
  if (isOpenPath(rules, path)) return 'pass';
  return hasSession ? 'pass' : 'to-login';
}

function isOpenPath({ login, callback, exclude }: GuardRules, path: string): boolean {
  return matchesPattern(login, path) || matchesPattern(callback, path) || matchesAny(exclude, path);
}
