/** From where a person can be signed out: the backend's names. What they mean to a person is in the texts. */
export const SIGN_OUT_SCOPES = ['local', 'others', 'global'] as const;

export type SignOutScope = (typeof SIGN_OUT_SCOPES)[number];

/** Reads a scope out of a form; undefined for anything else. */
export function parseSignOutScope(value: unknown): SignOutScope | undefined {
  return SIGN_OUT_SCOPES.find((scope) => scope === value);
}
