/** Light and dark: the user's choice, the mode that a page forces, and the resulting mode. */

/** The possible choices; `system` follows the device. */
export const COLOUR_PREFERENCES = ['system', 'light', 'dark'] as const;
export type ColourPreference = (typeof COLOUR_PREFERENCES)[number];
/** The mode in which a page is shown. */
export type ColourMode = 'light' | 'dark';

/** Key of the choice in the browser's `localStorage`. */
export const COLOUR_STORAGE_KEY = 'nuxt-color-mode';
/** Attribute of the document by which the server forces a mode. */
export const FORCED_COLOUR_ATTRIBUTE = 'data-color-mode-forced';
/** Attribute of the document that turns colour transitions off. */
export const SWITCHING_ATTRIBUTE = 'data-color-mode-switching';

/** The inputs of {@link resolveColourMode}. */
interface ColourModeInputs {
  preference: ColourPreference;
  /** Mode that the page forces. */
  forced: ColourMode | undefined;
  isDeviceDark: boolean;
}

/** Determines the mode of a page. */
export function resolveColourMode({ preference, forced, isDeviceDark }: ColourModeInputs): ColourMode {
  if (forced) return forced;
  if (preference !== 'system') return preference;
  return isDeviceDark ? 'dark' : 'light';
}

/** Parses a stored choice; unknown values are `system`. */
export function parseColourPreference(text: string | null | undefined): ColourPreference {
  return COLOUR_PREFERENCES.find((preference) => preference === text) ?? 'system';
}

/** Parses the mode that a route's handle forces. `system` cannot be forced. */
export function parseForcedMode(handle: unknown): ColourMode | undefined {
  if (typeof handle !== 'object' || handle === null || !('colourMode' in handle)) return undefined;
  return handle.colourMode === 'light' || handle.colourMode === 'dark' ? handle.colourMode : undefined;
}

/**
 * Script for the head that runs before the first paint. It repeats {@link resolveColourMode} in a few
 * bytes, because no module can be loaded that early.
 */
export const COLOUR_MODE_SCRIPT = `(function(){var e=document.documentElement,m=e.getAttribute("${FORCED_COLOUR_ATTRIBUTE}");\
if(!m){try{m=localStorage.getItem("${COLOUR_STORAGE_KEY}")}catch(_){}\
if(m!=="light"&&m!=="dark")m=matchMedia("(prefers-color-scheme: dark)").matches?"dark":"light"}\
e.classList.add(m)})()`;
