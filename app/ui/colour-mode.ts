/** Light and dark: what a person chose, what the page is forced to, and what comes out. */

/** What a person may choose; `system` follows the device. */
export const COLOUR_PREFERENCES = ['system', 'light', 'dark'] as const;
export type ColourPreference = (typeof COLOUR_PREFERENCES)[number];
/** What a page is shown in. */
export type ColourMode = 'light' | 'dark';

/** Key of the choice in the browser's local storage. */
export const COLOUR_STORAGE_KEY = 'nuxt-color-mode';
/** Attribute of the document by which the server forces a mode. */
export const FORCED_COLOUR_ATTRIBUTE = 'data-color-mode-forced';
/** While it is on the document, nothing moves from one colour to the other. */
export const SWITCHING_ATTRIBUTE = 'data-color-mode-switching';

/** What a page's mode depends on. */
interface ColourSituation {
  preference: ColourPreference;
  /** Mode that the page insists on. */
  forced: ColourMode | undefined;
  isDeviceDark: boolean;
}

/** Works out the mode of a page. */
export function resolveColourMode({ preference, forced, isDeviceDark }: ColourSituation): ColourMode {
  if (forced) return forced;
  if (preference !== 'system') return preference;
  return isDeviceDark ? 'dark' : 'light';
}

/** Reads a stored choice; anything unknown is `system`. */
export function parseColourPreference(text: string | null | undefined): ColourPreference {
  return COLOUR_PREFERENCES.find((preference) => preference === text) ?? 'system';
}

/** Reads the mode that a route's handle forces. Only a fixed mode can be forced. */
export function parseForcedMode(handle: unknown): ColourMode | undefined {
  if (typeof handle !== 'object' || handle === null || !('colourMode' in handle)) return undefined;
  return handle.colourMode === 'light' || handle.colourMode === 'dark' ? handle.colourMode : undefined;
}

/**
 * Script for the head, which runs before anything is painted. It repeats {@link resolveColourMode} in a few bytes,
 * because no module can be loaded that early.
 */
export const COLOUR_MODE_SCRIPT = `(function(){var e=document.documentElement,m=e.getAttribute("${FORCED_COLOUR_ATTRIBUTE}");\
if(!m){try{m=localStorage.getItem("${COLOUR_STORAGE_KEY}")}catch(_){}\
if(m!=="light"&&m!=="dark")m=matchMedia("(prefers-color-scheme: dark)").matches?"dark":"light"}\
e.classList.add(m)})()`;
