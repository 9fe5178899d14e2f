/**
 * The pages of the main navigation: one table for the sidebar, the palette, the keyboard shortcuts and the
 * account menu.
 */
import type { IconName } from '../ui/icon.tsx';
import type { ShortcutScope } from './scope.ts';

interface NavigationPage {
  /**
   * Returns the path below the app's base. @param login path of the sign-in page, which is a setting of the
   * site
   */
  pathOf(login: string): string;
  icon: IconName;
  /** Keys in the format of the table of shortcuts. */
  keys: string;
  /** Users for whom the page is shown. */
  scope: ShortcutScope;
  /** The page is for developers of pages and is not part of a production build. */
  isForDevelopment?: true;
}

/** By id, in the order in which they are shown. Their names are in `texts/page-names.ts`. */
const PAGES = {
  home: { pathOf: () => '/', icon: 'home', keys: 'g h', scope: 'signedIn' },
  overview: { pathOf: () => '/admin', icon: 'lucide:gauge', keys: 'g a', scope: 'admins' },
  users: { pathOf: () => '/admin/users', icon: 'users', keys: 'g u', scope: 'admins' },
  tables: { pathOf: () => '/admin/tables', icon: 'lucide:table', keys: 'g t', scope: 'admins' },
  policies: { pathOf: () => '/admin/policies', icon: 'shield', keys: 'g p', scope: 'admins' },
  sql: { pathOf: () => '/admin/sql', icon: 'lucide:terminal', keys: 'g q', scope: 'admins' },
  mailbox: { pathOf: () => '/admin/mailbox', icon: 'mail', keys: 'g m', scope: 'admins' },
  logs: { pathOf: () => '/admin/logs', icon: 'lucide:logs', keys: 'g o', scope: 'admins' },
  settings: { pathOf: () => '/admin/settings', icon: 'lucide:settings', keys: 'g s', scope: 'admins' },
  components: {
    pathOf: () => '/admin/ui',
    icon: 'palette',
    keys: 'g c',
    scope: 'admins',
    isForDevelopment: true,
  },
  signIn: { pathOf: (login) => login, icon: 'signIn', keys: 'g l', scope: 'signedOut' },
  // Does not import `loginPath`, because the sign-in page would then share a chunk with this module.
  signUp: { pathOf: (login) => `${login}?mode=sign-up`, icon: 'user', keys: 'g n', scope: 'signedOut' },
} as const satisfies Record<string, NavigationPage>;

/** The id of a page that the palette and the keyboard lead to. */
export type PageId = keyof typeof PAGES;

/** Returns whether a shortcut leads to a page of this table. */
export function isPageId(id: string): id is PageId {
  return Object.hasOwn(PAGES, id);
}

/** The id of a section of the admin area. */
type AdminPageId = {
  [Id in PageId]: (typeof PAGES)[Id]['scope'] extends 'admins' ? Id : never;
}[PageId];

/** All pages without their paths, in the order in which they are shown. */
export const PAGE_LIST = (Object.keys(PAGES) as PageId[]).filter(isInThisBuild).map((id) => ({
  id,
  icon: PAGES[id].icon satisfies IconName as IconName,
  keys: PAGES[id].keys satisfies string as string,
  scope: PAGES[id].scope satisfies ShortcutScope as ShortcutScope,
}));

function isInThisBuild(id: PageId): boolean {
  const page: NavigationPage = PAGES[id];
  return import.meta.env.DEV || page.isForDevelopment !== true;
}

/** The sections of the admin area, in the order in which they are shown. */
export const ADMIN_PAGES = PAGE_LIST.filter(
  (page): page is (typeof PAGE_LIST)[number] & { id: AdminPageId } => page.scope === 'admins',
);

/** Returns the paths of all pages, below the app's base. @param login path of the sign-in page */
export function navigationPaths(login: string): Readonly<Record<PageId, string>> {
  const paths = Object.entries(PAGES).map(([id, page]) => [id, page.pathOf(login)]);
  return Object.fromEntries(paths) as Record<PageId, string>;
}
