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

/** Returns the pages in the order of the product, with labels in a language. */
export function sitePages(site: Site | undefined, language: Language): SitePage[] {
  return (site?.navigation ?? []).map(({ path, label, icon, keys, for: users }) => {
    const labelIn = (reader: Language) => (typeof label === 'string' ? label : (label[reader] ?? ''));
    return {
      to: path as `/${string}`,
      label: labelIn(language),
      words: LANGUAGES.map(labelIn),
      icon,
      keys,
      scope: users === 'everyone' ? 'everywhere' : users,
    };
  });
}

/** Returns whether a built-in page is part of the navigation: neither switched off nor replaced by an entry. */
export function isShown(id: PageId | 'account', site: Site | undefined): boolean {
  if (id === 'home') return !site?.navigation?.some(({ path }) => path === '/');
  if (id === 'account') return site?.pages?.account !== false;
  return id === 'signIn' || id === 'signUp' || site?.pages?.admin !== false;
}
