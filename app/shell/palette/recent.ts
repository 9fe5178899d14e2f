/** The commands that were used last on this device, newest first. Only ids are kept. */

const STORAGE_KEY = 'greenroom-palette';
/** So many are remembered. */
export const MAX_RECENT = 5;

/** The list after a command was used. */
export function withRecent(recent: readonly string[], id: string): string[] {
  return [id, ...recent.filter((other) => other !== id)].slice(0, MAX_RECENT);
}

/** Reads what was kept; anything that is no such list counts as nothing. */
export function parseRecent(text: string | null): string[] {
  try {
    const value: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(value) ? value.filter((id) => typeof id === 'string').slice(0, MAX_RECENT) : [];
  } catch {
    return [];
  }
}

/** The browser's list. */
export function loadRecent(browser: Window): string[] {
  try {
    return parseRecent(browser.localStorage.getItem(STORAGE_KEY));
  } catch {
    // Storage can be blocked; then nothing is recent.
    return [];
  }
}

/** Keeps a use, where the browser keeps anything. */
export function saveRecent(browser: Window, id: string): void {
  try {
    const recent = withRecent(loadRecent(browser), id);
    browser.localStorage.setItem(STORAGE_KEY, JSON.stringify(recent));
  } catch {
    // See above.
  }
}
