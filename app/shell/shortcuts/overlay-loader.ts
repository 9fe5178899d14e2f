/** Opens overlays whose code is not loaded yet. The page's own modules say how it is loaded. */
import type { Overlay } from './overlay.ts';

/** What the loaded code offers. */
interface OverlayCode {
  openOverlay(overlay: Overlay): void;
  preloadPalette(): void;
}

let load: (() => Promise<OverlayCode>) | undefined;
const ignore = () => {};

/** Sets how the code is loaded. Until then, nothing opens. */
export function provideOverlayCode(loader: () => Promise<OverlayCode>): void {
  load = loader;
}

/** Opens the palette or the help, as soon as the code for that is there. */
export function openOverlay(overlay: Overlay): void {
  load?.().then((code) => code.openOverlay(overlay), ignore);
}

/** Loads the palette ahead; a failure shows when it is needed. */
export function preloadPalette(): void {
  load?.().then((code) => code.preloadPalette(), ignore);
}
