/** From where a person can be signed out. */

/** The backend's names, and what they mean to a person. */
export const SIGN_OUT_SCOPES = [
  { scope: 'local', label: 'Sign out of this device' },
  { scope: 'others', label: 'Sign out other devices' },
  { scope: 'global', label: 'Sign out everywhere' },
] as const;

export type SignOutScope = (typeof SIGN_OUT_SCOPES)[number]['scope'];

/** Reads a scope out of a form; undefined for anything else. */
export function parseSignOutScope(value: unknown): SignOutScope | undefined {
  return SIGN_OUT_SCOPES.find(({ scope }) => scope === value)?.scope;
}
