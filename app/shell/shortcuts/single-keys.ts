/**
 * Whether single keys do something. Whoever dictates or hits keys unawares can turn that off (WCAG 2.2, success
 * criterion 2.1.4); what needs Ctrl or a function key stays.
 */

const STORAGE_KEY = 'greenroom-single-keys';

/** They are on unless somebody turned them off. */
export function areSingleKeysOn(browser: Window): boolean {
  try {
    return browser.localStorage.getItem(STORAGE_KEY) !== 'off';
  } catch {
    return true;
  }
}

/** Keeps the choice, where the browser keeps anything. */
export function turnSingleKeys(browser: Window, isOn: boolean): void {
  try {
    if (isOn) browser.localStorage.removeItem(STORAGE_KEY);
    else browser.localStorage.setItem(STORAGE_KEY, 'off');
  } catch {
    // Storage can be blocked; there is nowhere else to keep it.
  }
}
