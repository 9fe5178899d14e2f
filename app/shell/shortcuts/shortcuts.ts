/**
 * Every keyboard shortcut, in one table: the listener acts on it, and the keyboard help, the palette and the buttons
 * show it. What each does is in `shortcut-listener.tsx`, and its name in `texts/shortcuts.ts`.
 */
import { CONSTANTS } from '../../constants.ts';

/** Whom a shortcut is for; also the heading under which the help lists it. */
export const SHORTCUT_SCOPES = ['everywhere', 'signedIn', 'admins', 'signedOut'] as const;
export type ShortcutScope = (typeof SHORTCUT_SCOPES)[number];

/**
 * Keys in the form of {@link ./key-stroke.ts}: strokes after each other with a space between. `Mod` is the command key
 * on Apple's keyboards and Ctrl on all others.
 */
export const SHORTCUTS = [
  { id: 'palette', keys: 'Mod+k', scope: 'everywhere' },
  { id: 'help', keys: '?', scope: 'everywhere' },
  { id: 'colourMode', keys: 't', scope: 'everywhere' },
  // The list of toasts listens itself.
  { id: 'notifications', keys: CONSTANTS.toast.hotkey, scope: 'everywhere' },
  { id: 'home', keys: 'g h', scope: 'signedIn' },
  { id: 'newNote', keys: 'n', scope: 'signedIn' },
  { id: 'users', keys: 'g a', scope: 'admins' },
  { id: 'mailbox', keys: 'g m', scope: 'admins' },
  { id: 'components', keys: 'g c', scope: 'admins' },
  { id: 'signIn', keys: 'g l', scope: 'signedOut' },
  { id: 'signUp', keys: 'g n', scope: 'signedOut' },
] as const satisfies readonly { id: string; keys: string; scope: ShortcutScope }[];

export type Shortcut = (typeof SHORTCUTS)[number];
export type ShortcutId = Shortcut['id'];

/** Who is at the keyboard. */
export interface Typist {
  isSignedIn: boolean;
  isAdmin: boolean;
}

/** The shortcuts that somebody has, in the table's order. */
export function shortcutsFor(typist: Typist): Shortcut[] {
  return SHORTCUTS.filter(({ scope }) => isFor(scope, typist));
}

function isFor(scope: ShortcutScope, { isSignedIn, isAdmin }: Typist): boolean {
  if (scope === 'everywhere') return true;
  if (scope === 'admins') return isAdmin;
  return isSignedIn === (scope === 'signedIn');
}

/** Tells whether letters and signs alone make up a shortcut, so that somebody who dictates may hit it unawares. */
export function isOfSingleKeys(keys: string): boolean {
  return keys.split(' ').every((stroke) => [...stroke].length === 1);
}
