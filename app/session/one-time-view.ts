/**
 * Sign-in forms without a password, and the step after sign-in: a code by message, a forgotten password, a
 * second factor.
 */
import type { Identifier } from './login-view.ts';

/** Search parameter `mode` of the sign-in page. */
export type OneTimeMode = 'code' | 'recover' | 'factor';

/** The page on which a user who has no password, or has forgotten it, chooses one. */
export const NEW_PASSWORD_PATH = '/account?recovered=1';

const MODES: readonly string[] = ['code', 'recover', 'factor'] satisfies OneTimeMode[];

/** Returns undefined if the page shows one of its password forms. */
export function parseOneTimeMode(search: URLSearchParams): OneTimeMode | undefined {
  const mode = search.get('mode') ?? '';
  return MODES.includes(mode) ? (mode as OneTimeMode) : undefined;
}

/** Returns the URL of a mode. */
export function oneTimePath(login: string, mode: OneTimeMode, by: Identifier = 'email'): string {
  return `${login}?mode=${mode}${by === 'phone' ? '&with=phone' : ''}`;
}
