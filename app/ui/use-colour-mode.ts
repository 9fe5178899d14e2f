/** The colour mode for components. On the server, and until the page has come alive, it is unknown. */
import { useEffect, useSyncExternalStore } from 'react';
import { useMatches } from 'react-router';
import { type ColourMode, parseForcedMode } from './colour-mode.ts';
import { type ColourModeStore, type ColourState, createColourModeStore } from './colour-mode-store.ts';

let store: ColourModeStore | undefined;

function tabStore(): ColourModeStore {
  store ??= createColourModeStore(window);
  return store;
}

/** The state of the mode, or undefined while it is unknown. */
export function useColourMode(): ColourState | undefined {
  return useSyncExternalStore<ColourState | undefined>(
    (listener) => tabStore().subscribe(listener),
    () => tabStore().read(),
    () => undefined,
  );
}

/** Stores a choice; see {@link ColourModeStore.choose}. */
export const chooseColourMode: ColourModeStore['choose'] = (preference) => tabStore().choose(preference);

/** The mode that the current route forces through its handle, `{ colourMode: 'dark' }`. Applies it in the browser. */
export function useForcedColourMode(): ColourMode | undefined {
  const forced = useMatches().reduce<ColourMode | undefined>(
    (found, match) => parseForcedMode(match.handle) ?? found,
    undefined,
  );
  useEffect(() => tabStore().force(forced), [forced]);
  return forced;
}
