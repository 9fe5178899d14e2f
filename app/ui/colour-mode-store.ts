/**
 * The colour mode of this tab: saves the choice, follows the device and other tabs, and updates the
 * document.
 */
import {
  COLOUR_STORAGE_KEY,
  type ColourMode,
  type ColourPreference,
  parseColourPreference,
  resolveColourMode,
  SWITCHING_ATTRIBUTE,
} from './colour-mode.ts';

/** State for components. */
export interface ColourState {
  preference: ColourPreference;
  forced: ColourMode | undefined;
}

/** A store for `useSyncExternalStore`; exists in the browser only. */
export interface ColourModeStore {
  read(): ColourState;
  subscribe(listener: () => void): () => void;
  /** Saves and applies a choice; ignored while a mode is forced. */
  choose(preference: ColourPreference): void;
  /** Forces a mode, or with undefined returns to the choice. */
  force(mode: ColourMode | undefined): void;
}

/** Creates the store of a browser window. */
export function createColourModeStore(browser: Window & typeof globalThis): ColourModeStore {
  const listeners = new Set<() => void>();
  const device = browser.matchMedia('(prefers-color-scheme: dark)');
  let state: ColourState = { preference: readStored(browser), forced: undefined };
  const update = (change: Partial<ColourState>) => {
    state = { ...state, ...change };
    applyMode(
      browser.document.documentElement,
      resolveColourMode({ ...state, isDeviceDark: device.matches }),
    );
    for (const listener of listeners) listener();
  };
  device.addEventListener('change', () => update({}));
  browser.addEventListener('storage', ({ key, newValue }) => {
    if (key === COLOUR_STORAGE_KEY) update({ preference: parseColourPreference(newValue) });
  });
  return {
    read: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    choose(preference) {
      if (state.forced) return;
      store(browser, preference);
      update({ preference });
    },
    force: (forced) => update({ forced }),
  };
}

function applyMode(document: HTMLElement, mode: ColourMode): void {
  if (document.classList.contains(mode)) return;
  document.setAttribute(SWITCHING_ATTRIBUTE, '');
  document.classList.remove('light', 'dark');
  document.classList.add(mode);
  // Reading a computed style makes the browser apply the colours while transitions are off.
  void getComputedStyle(document).opacity;
  document.removeAttribute(SWITCHING_ATTRIBUTE);
}

function readStored(browser: Window): ColourPreference {
  try {
    return parseColourPreference(browser.localStorage.getItem(COLOUR_STORAGE_KEY));
  } catch {
    // The browser may block storage; the choice then lasts until the page is closed.
    return 'system';
  }
}

function store(browser: Window, preference: ColourPreference): void {
  try {
    browser.localStorage.setItem(COLOUR_STORAGE_KEY, preference);
  } catch {
    // The browser may block storage.
  }
}
