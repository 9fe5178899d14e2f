/**
 * The table of all keyboard shortcuts, for the listener, the keyboard help, the palette and the buttons.
 * The actions are in `../overlays/keyboard.tsx`, the names in `texts/shortcuts.ts` or `texts/page-names.ts`. A product adds
 * shortcuts by `site-shortcuts.ts`.
 */
import * as CONSTANTS from '../../constants.ts';
import { LANGUAGES, type Language } from '../../lib/language.ts';
import type { Site } from '../../lib/page/site.ts';
import { isPageId, PAGE_LIST, type PageId } from '../navigation.ts';
import { isFor, SHORTCUT_SCOPES, type ShortcutScope, type Viewer } from '../scope.ts';
import { isShown, scopeOf, sitePages, siteText } from '../site-navigation.ts';
import { type SiteShortcut, siteShortcuts } from './site-shortcuts.ts';

/**
 * Keys in the format of {@link ./key-stroke.ts}; the strokes of a sequence are separated by spaces. `Mod`
 * is the command key on Apple's keyboards and Ctrl on all others.
 */
const OWN = [
  { id: 'palette', keys: 'Mod+k', scope: 'everywhere' },
  { id: 'help', keys: '?', scope: 'everywhere' },
  { id: 'colourMode', keys: 't', scope: 'everywhere' },
  // The list of toasts handles this key itself.
  { id: 'notifications', keys: CONSTANTS.toast.hotkey, scope: 'everywhere' },
] as const satisfies readonly { id: string; keys: string; scope: ShortcutScope }[];

export type ShortcutId = (typeof OWN)[number]['id'] | PageId;

/** For a page of the product: its path. For another shortcut of the product: its keys. */
type SiteShortcutId = `/${string}` | `key ${string}`;

/** A row of the table. */
export interface Shortcut {
  id: ShortcutId | SiteShortcutId;
  /** Name of the shortcut, if the texts of Greenroom have none. */
  label?: string;
  keys: string;
  scope: ShortcutScope;
  /** Present if the product defines the action. */
  run?: SiteShortcut['run'];
}

/** In the order of the scopes. The navigation defines the shortcuts of its pages. */
export const SHORTCUTS: readonly Shortcut[] = [
  ...PAGE_LIST.map(({ id, keys, scope }): Shortcut => ({ id, keys, scope })),
  ...OWN,
].toSorted((a, b) => SHORTCUT_SCOPES.indexOf(a.scope) - SHORTCUT_SCOPES.indexOf(b.scope));

/** The values of a product, and the language of its names. */
interface ShortcutContext {
  site?: Site | undefined;
  language: Language;
  /** Default: those of the build. */
  added?: readonly SiteShortcut[];
}

/** Returns the shortcuts that a user has, in the table's order; then those of the product, and of its pages. */
export function shortcutsFor(
  viewer: Viewer,
  { site, language, added = siteShortcuts }: ShortcutContext = { language: LANGUAGES[0] },
): Shortcut[] {
  const own = SHORTCUTS.filter(({ id }) => !isPageId(id) || id === 'home' || isShown(id, site));
  const others = sitePages(site, language).flatMap(({ to, keys, label, scope }): Shortcut[] =>
    keys === undefined ? [] : [{ id: to, keys, label, scope }],
  );
  const ofProduct = added.map(
    ({ keys, label, for: users, run }): Shortcut => ({
      id: `key ${keys}`,
      keys,
      label: siteText(label, language),
      scope: scopeOf(users),
      run,
    }),
  );
  return [...own, ...ofProduct, ...others].filter(({ scope }) => isFor(scope, viewer));
}

/** Returns whether a shortcut belongs to the product. */
export function isOfSite(id: Shortcut['id']): id is SiteShortcutId {
  return id.startsWith('/') || id.startsWith('key ');
}

/**
 * Returns whether a shortcut consists of single characters, so that speech input may trigger it by
 * accident.
 */
export function isOfSingleKeys(keys: string): boolean {
  return keys.split(' ').every((stroke) => [...stroke].length === 1);
}
