/**
 * Reloads without endless loops: after a reload, the same page is not reloaded again for a while, so that a
 * problem that a reload cannot solve is finally shown as an error.
 */
import * as CONSTANTS from '../../constants.ts';

/** Key of the last reload in `sessionStorage`. */
export const RELOAD_KEY = 'app:reload';

/** The last reload of a tab. */
interface LastReload {
  path: string;
  /** Milliseconds since 1970; until then the same path is not reloaded again. */
  expires: number;
}

/** Returns whether a path may be reloaded now. */
export function mayReload(last: LastReload | undefined, path: string, now: number): boolean {
  return last === undefined || last.path !== path || last.expires < now;
}

/** The parts of `window` that are used here. */
export interface ReloadingBrowser {
  location: Pick<Location, 'href' | 'origin' | 'pathname' | 'reload' | 'assign'>;
  sessionStorage: Pick<Storage, 'getItem' | 'setItem'>;
}

/**
 * Loads a path of this origin from the server, unless that was done recently; returns whether it did.
 * Without session storage nothing is reloaded, since a loop could not be detected. Throws for a URL of
 * another origin or of a scheme that runs scripts.
 */
export function reloadOnce(browser: ReloadingBrowser, path: string, now = Date.now()): boolean {
  const target = new URL(path, browser.location.href);
  if (target.origin !== browser.location.origin) throw new Error(`Not a page of this site: ${path}`);
  if (!mayReload(readLast(browser), path, now)) return false;
  if (!remember(browser, { path, expires: now + CONSTANTS.reloadGuard.ttl })) return false;
  if (target.pathname === browser.location.pathname) browser.location.reload();
  else browser.location.assign(target.href);
  return true;
}

function readLast({ sessionStorage }: ReloadingBrowser): LastReload | undefined {
  try {
    const last: unknown = JSON.parse(sessionStorage.getItem(RELOAD_KEY) ?? 'null');
    return isLastReload(last) ? last : undefined;
  } catch {
    return undefined;
  }
}

function isLastReload(value: unknown): value is LastReload {
  if (typeof value !== 'object' || value === null) return false;
  const { path, expires } = value as Partial<LastReload>;
  return typeof path === 'string' && typeof expires === 'number';
}

function remember({ sessionStorage }: ReloadingBrowser, last: LastReload): boolean {
  try {
    sessionStorage.setItem(RELOAD_KEY, JSON.stringify(last));
    return true;
  } catch {
    return false;
  }
}
