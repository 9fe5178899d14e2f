/** The pages that a product adds to the navigation, and the built-in pages that it switches off. */
import { LANGUAGES, type Language } from '../lib/language.ts';
import type { Site } from '../lib/page/site.ts';
import type { IconName } from '../ui/icon.tsx';
import type { PageId } from './navigation.ts';
import type { ShortcutScope } from './scope.ts';

/** A page of the product. */
interface SitePage {
  /** Path below the app's base. */
  to: `/${string}`;
  label: string;
  /** The label in every language. */
  words: string[];
  icon: IconName;
  keys: string | undefined;
  scope: ShortcutScope;
}

/** Users in the values of a product. */
export type SiteUsers = 'everyone' | Exclude<ShortcutScope, 'everywhere'>;

/** Returns the scope of the users of a page or shortcut. */
export function scopeOf(users: SiteUsers): ShortcutScope {
  return users === 'everyone' ? 'everywhere' : users;
}

/** Returns a text of the product in a language; empty if the text lacks it. */
export function siteText(
  text: string | Readonly<Partial<Record<Language, string>>>,
  language: Language,
): string {
  return typeof text === 'string' ? text : (text[language] ?? '');
}

/** Returns the pages in the order of the product, with labels in a language. */
export function sitePages(site: Site | undefined, language: Language): SitePage[] {
  return (site?.navigation ?? []).map(({ path, label, icon, keys, for: users }) => ({
    to: path as `/${string}`,
    label: siteText(label, language),
    words: LANGUAGES.map((reader) => siteText(label, reader)),
    icon,
    keys,
    scope: scopeOf(users),
  }));
}

/** Returns whether a built-in page is part of the navigation: neither switched off nor replaced by an entry. */
export function isShown(id: PageId | 'account', site: Site | undefined): boolean {
  if (id === 'home') return !site?.navigation?.some(({ path }) => path === '/');
  if (id === 'account') return site?.pages?.account !== false;
  return id === 'signIn' || id === 'signUp' || site?.pages?.admin !== false;
}
