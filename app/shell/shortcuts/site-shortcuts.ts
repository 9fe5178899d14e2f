/** Keyboard shortcuts of a product, which replaces this file. */
import type { Language } from '../../lib/language.ts';
import type { SiteUsers } from '../site-navigation.ts';

/** A shortcut that runs code. Shortcuts that open pages belong to `navigation` in greenroom.config.ts. */
export interface SiteShortcut {
  /** One key, or two after each other, such as `g t`. */
  keys: string;
  /** Name in the keyboard help. */
  label: string | Readonly<Partial<Record<Language, string>>>;
  /** Users who have the shortcut. */
  for: SiteUsers;
  /** @param navigate opens a page by its path below the base of the site */
  run(navigate: (path: string) => unknown): void;
}

/** Listed in the help after the built-in shortcuts. */
export const siteShortcuts: readonly SiteShortcut[] = [];
