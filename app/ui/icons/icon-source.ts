/** The icons for the server's pages. The first pages wait for them for a limited time. */
import * as CONSTANTS from '../../constants.ts';
import type { PageLog } from '../../lib/page/page-options.ts';
import { type Collections, loadCollections } from './collections.ts';

/** Provides icons for server-rendered pages. */
export interface IconSource {
  /** Resolves when icons are loaded or the wait has timed out; undefined afterwards. */
  readonly ready: Promise<void> | undefined;
  /**
   * Returns an icon as SVG symbol; undefined if it is unknown or not loaded yet: the browser requests it
   * then.
   */
  symbolOf(fullName: string): string | undefined;
}

/** Starts to load the collections. */
export function createIconSource(
  log: PageLog,
  load: () => Promise<Collections> = loadCollections,
): IconSource {
  let collections: Collections | undefined;
  let ready: Promise<void> | undefined;
  const loading = load().then((loaded) => {
    collections = loaded;
  });
  const { requestTimeout } = CONSTANTS.icon;
  const timedOut = new Promise<void>((resolve) => {
    const timer = setTimeout(() => {
      log.warn({ ms: requestTimeout }, 'icons are late: pages go out without them');
      resolve();
    }, requestTimeout);
    void loading.catch(() => {}).finally(() => clearTimeout(timer));
  });
  const failed = (error: unknown) =>
    log.warn({ err: error }, 'icons cannot be read: pages go out without them');
  ready = Promise.race([loading.catch(failed), timedOut]).then(() => {
    ready = undefined;
  });
  return {
    get ready() {
      return ready;
    },
    symbolOf: (fullName) => collections?.symbol(fullName),
  };
}
