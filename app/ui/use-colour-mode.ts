/** The colour mode for components. It is unknown on the server and until hydration. */
import { useEffect, useSyncExternalStore } from 'react';
import { useMatches } from 'react-router';
import { type ColourMode, parseForcedMode } from './colour-mode.ts';
import { type ColourModeStore, type ColourState, createColourModeStore } from './colour-mode-store.ts';

let store: ColourModeStore | undefined;

function tabStore(): ColourModeStore {
  store ??= createColourModeStore(window);
  return store;
}

/** Returns the state, or undefined while it is unknown. */
export function useColourMode(): ColourState | undefined {
  return useSyncExternalStore<ColourState | undefined>(
    (listener) => tabStore().subscribe(listener),
    () => tabStore().read(),
    () => undefined,
  );
}

/** Saves a choice; see {@link ColourModeStore.choose}. */
export const chooseColourMode: ColourModeStore['choose'] = (preference) => tabStore().choose(preference);

/**
 * Returns the mode that the current route forces through its handle, `{ colourMode: 'dark' }`, and applies
 * it in the browser.
 */
export function useForcedColourMode(): ColourMode | undefined {
  const forced = useMatches().reduce<ColourMode | undefined>(
    (found, match) => parseForcedMode(match.handle) ?? found,
    undefined,
  );
  useEffect(() => tabStore().force(forced), [forced]);
  return forced;
}
