/** The users that shortcuts and pages are for. */

/** Also the headings under which the help lists shortcuts. */
export const SHORTCUT_SCOPES = ['everywhere', 'signedIn', 'admins', 'signedOut'] as const;
export type ShortcutScope = (typeof SHORTCUT_SCOPES)[number];

/** The user at the keyboard. */
export interface Viewer {
  isSignedIn: boolean;
  isAdmin: boolean;
}

/** Returns whether a scope includes the user. */
export function isFor(scope: ShortcutScope, { isSignedIn, isAdmin }: Viewer): boolean {
  if (scope === 'everywhere') return true;
  if (scope === 'admins') return isAdmin;
  return isSignedIn === (scope === 'signedIn');
}
