/** The commands that were used last on this device, newest first. Only ids are stored. */

const STORAGE_KEY = 'greenroom-palette';
export const MAX_RECENT = 5;

/** Returns the list after a command was used. */
export function withRecent(recent: readonly string[], id: string): string[] {
  return [id, ...recent.filter((other) => other !== id)].slice(0, MAX_RECENT);
}

/** Parses the stored list; empty if the text is invalid. */
export function parseRecent(text: string | null): string[] {
  try {
    const value: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(value) ? value.filter((id) => typeof id === 'string').slice(0, MAX_RECENT) : [];
  } catch {
    return [];
  }
}

/** Loads the list of this browser. */
export function loadRecent(browser: Window): string[] {
  try {
    return parseRecent(browser.localStorage.getItem(STORAGE_KEY));
  } catch {
    // The browser may block storage; then the list is empty.
    return [];
  }
}

/** Saves a used command, unless the browser blocks storage. */
export function saveRecent(browser: Window, id: string): void {
  try {
    const recent = withRecent(loadRecent(browser), id);
    browser.localStorage.setItem(STORAGE_KEY, JSON.stringify(recent));
  } catch {
    // The browser may block storage.
  }
}
