/** Whom shortcuts and places are for. */

/** Also the heading under which the help lists shortcuts. */
export const SHORTCUT_SCOPES = ['everywhere', 'signedIn', 'admins', 'signedOut'] as const;
export type ShortcutScope = (typeof SHORTCUT_SCOPES)[number];

/** Who is at the keyboard. */
export interface Typist {
  isSignedIn: boolean;
  isAdmin: boolean;
}

/** Whether somebody is meant by a scope. */
export function isFor(scope: ShortcutScope, { isSignedIn, isAdmin }: Typist): boolean {
  if (scope === 'everywhere') return true;
  if (scope === 'admins') return isAdmin;
  return isSignedIn === (scope === 'signedIn');
}
