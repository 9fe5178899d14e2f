/** URLs that depend on the settings of the site. */
import { usePage } from '../lib/page/page-context.tsx';
import { storageBase } from '../session/storage-address.ts';

/** The URLs of {@link useSiteUrls}. */
export interface SiteUrls {
  /** Path of the site with a slash at both ends: `/`, or e.g. `/app/`. Links of the router need no prefix. */
  base: string;
  /** Path of the sign-in page below `base`. */
  login: string;
  /** URL of the storage API; a path if it has the origin of the pages. */
  storage: string;
}

/** Returns the URLs of the site of this page. */
export function useSiteUrls(): SiteUrls {
  const { config } = usePage();
  return { base: config.baseURL, login: config.redirectOptions.login, storage: storageBase(config) };
}
