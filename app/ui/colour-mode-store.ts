/** The colour mode of this tab: keeps the choice, follows the device and the other tabs, and dresses the document. */
import {
  COLOUR_STORAGE_KEY,
  type ColourMode,
  type ColourPreference,
  parseColourPreference,
  resolveColourMode,
  SWITCHING_ATTRIBUTE,
} from './colour-mode.ts';

/** What components see. */
export interface ColourState {
  preference: ColourPreference;
  forced: ColourMode | undefined;
}

/** A store in React's form, made in the browser only. */
export interface ColourModeStore {
  read(): ColourState;
  subscribe(listener: () => void): () => void;
  /** Stores and applies a choice; ignored while a mode is forced. */
  choose(preference: ColourPreference): void;
  /** Forces a mode, or with undefined gives way to the choice again. */
  force(mode: ColourMode | undefined): void;
}

/** Makes the store of a browser's window. */
export function createColourModeStore(browser: Window & typeof globalThis): ColourModeStore {
  const listeners = new Set<() => void>();
  const device = browser.matchMedia('(prefers-color-scheme: dark)');
  let state: ColourState = { preference: readStored(browser), forced: undefined };
  const update = (change: Partial<ColourState>) => {
    state = { ...state, ...change };
    dress(browser.document.documentElement, resolveColourMode({ ...state, isDeviceDark: device.matches }));
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

function dress(document: HTMLElement, mode: ColourMode): void {
  if (document.classList.contains(mode)) return;
  document.setAttribute(SWITCHING_ATTRIBUTE, '');
  document.classList.remove('light', 'dark');
  document.classList.add(mode);
  // Reading a computed style makes the browser apply the colours while nothing may move.
  void getComputedStyle(document).opacity;
  document.removeAttribute(SWITCHING_ATTRIBUTE);
}

function readStored(browser: Window): ColourPreference {
  try {
    return parseColourPreference(browser.localStorage.getItem(COLOUR_STORAGE_KEY));
  } catch {
    // Storage can be blocked; the choice then lasts as long as the page.
    return 'system';
  }
}

function store(browser: Window, preference: ColourPreference): void {
  try {
    browser.localStorage.setItem(COLOUR_STORAGE_KEY, preference);
  } catch {
    // See above.
  }
}
