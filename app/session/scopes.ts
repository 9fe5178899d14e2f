/** The backend's names for the sessions that a sign-out ends. The texts explain them to users. */
export const SIGN_OUT_SCOPES = ['local', 'others', 'global'] as const;

export type SignOutScope = (typeof SIGN_OUT_SCOPES)[number];

/** Parses a scope from a form; undefined for anything else. */
export function parseSignOutScope(value: unknown): SignOutScope | undefined {
  return SIGN_OUT_SCOPES.find((scope) => scope === value);
}
