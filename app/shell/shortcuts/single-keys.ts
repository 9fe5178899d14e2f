/**
 * The setting for single-key shortcuts. Users who dictate or press keys by accident can turn them off (WCAG
 * 2.2, success criterion 2.1.4); shortcuts with Ctrl or a function key remain.
 */

const STORAGE_KEY = 'greenroom-single-keys';

/** Returns whether they are on, which is the default. */
export function areSingleKeysOn(browser: Window): boolean {
  try {
    return browser.localStorage.getItem(STORAGE_KEY) !== 'off';
  } catch {
    return true;
  }
}

/** Saves the choice, unless the browser blocks storage. */
export function setSingleKeys(browser: Window, isOn: boolean): void {
  try {
    if (isOn) browser.localStorage.removeItem(STORAGE_KEY);
    else browser.localStorage.setItem(STORAGE_KEY, 'off');
  } catch {
    // The browser may block storage; the choice is then lost.
  }
}
