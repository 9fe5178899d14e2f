/**
 * Every keyboard shortcut, in one table: the listener acts on it, and the keyboard help, the palette and the buttons
 * show it. What each does is in `../overlays/keyboard.tsx`, and its name in `texts/shortcuts.ts` or `texts/places.ts`.
 */
import { CONSTANTS } from '../../constants.ts';
import { PLACE_LIST, type PlaceId } from '../navigation.ts';
import { isFor, SHORTCUT_SCOPES, type ShortcutScope, type Typist } from '../scope.ts';

/**
 * Keys in the form of {@link ./key-stroke.ts}: strokes after each other with a space between. `Mod` is the command key
 * on Apple's keyboards and Ctrl on all others.
 */
const OWN = [
  { id: 'palette', keys: 'Mod+k', scope: 'everywhere' },
  { id: 'help', keys: '?', scope: 'everywhere' },
  { id: 'colourMode', keys: 't', scope: 'everywhere' },
  // The list of toasts listens itself.
  { id: 'notifications', keys: CONSTANTS.toast.hotkey, scope: 'everywhere' },
  { id: 'newNote', keys: 'n', scope: 'signedIn' },
] as const satisfies readonly { id: string; keys: string; scope: ShortcutScope }[];

export type ShortcutId = (typeof OWN)[number]['id'] | PlaceId;

/** A row of the table. */
export interface Shortcut {
  id: ShortcutId;
  keys: string;
  scope: ShortcutScope;
}

/** In the order of the scopes. Those of places come from the navigation. */
export const SHORTCUTS: readonly Shortcut[] = [
  ...PLACE_LIST.map(({ id, keys, scope }): Shortcut => ({ id, keys, scope })),
  ...OWN,
].toSorted((a, b) => SHORTCUT_SCOPES.indexOf(a.scope) - SHORTCUT_SCOPES.indexOf(b.scope));

/** The shortcuts that somebody has, in the table's order. */
export function shortcutsFor(typist: Typist): Shortcut[] {
  return SHORTCUTS.filter(({ scope }) => isFor(scope, typist));
}

/** Tells whether letters and signs alone make up a shortcut, so that somebody who dictates may hit it unawares. */
export function isOfSingleKeys(keys: string): boolean {
  return keys.split(' ').every((stroke) => [...stroke].length === 1);
}
