/**
 * The pages of the main navigation: one table for the sidebar, the palette, the keyboard shortcuts and the
 * account menu.
 */
import type { IconName } from '../ui/icon.tsx';
import type { ShortcutScope } from './scope.ts';

interface Place {
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

/** By id, in the order in which they are shown. Their names are in `texts/places.ts`. */
const PLACES = {
  home: { pathOf: () => '/', icon: 'home', keys: 'g h', scope: 'signedIn' },
  users: { pathOf: () => '/admin', icon: 'users', keys: 'g a', scope: 'admins' },
  mailbox: { pathOf: () => '/admin/mailbox', icon: 'mail', keys: 'g m', scope: 'admins' },
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
} as const satisfies Record<string, Place>;

/** The id of a page that the palette and the keyboard lead to. */
export type PlaceId = keyof typeof PLACES;

/** Returns whether a shortcut leads to a page of this table. */
export function isPlace(id: string): id is PlaceId {
  return Object.hasOwn(PLACES, id);
}

/** The id of a section of the admin area. */
type AdminPlaceId = {
  [Id in PlaceId]: (typeof PLACES)[Id]['scope'] extends 'admins' ? Id : never;
}[PlaceId];

/** All pages without their paths, in the order in which they are shown. */
export const PLACE_LIST = (Object.keys(PLACES) as PlaceId[]).filter(isInThisBuild).map((id) => ({
  id,
  icon: PLACES[id].icon satisfies IconName as IconName,
  keys: PLACES[id].keys satisfies string as string,
  scope: PLACES[id].scope satisfies ShortcutScope as ShortcutScope,
}));

function isInThisBuild(id: PlaceId): boolean {
  const place: Place = PLACES[id];
  return import.meta.env.DEV || place.isForDevelopment !== true;
}

/** The sections of the admin area, in the order in which they are shown. */
export const ADMIN_PLACES = PLACE_LIST.filter(
  (place): place is (typeof PLACE_LIST)[number] & { id: AdminPlaceId } => place.scope === 'admins',
);

/** Returns the paths of all pages, below the app's base. @param login path of the sign-in page */
export function placePaths(login: string): Readonly<Record<PlaceId, string>> {
  const paths = Object.entries(PLACES).map(([id, place]) => [id, place.pathOf(login)]);
  return Object.fromEntries(paths) as Record<PlaceId, string>;
}
