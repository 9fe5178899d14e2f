/** Opens overlays whose code is not loaded yet. The modules of the page provide the loader. */
import type { Overlay } from './overlay.ts';

/** Exports of the loaded code. */
interface OverlayCode {
  openOverlay(overlay: Overlay): void;
  preloadPalette(): void;
}

let load: (() => Promise<OverlayCode>) | undefined;
const ignore = () => {};

/** Sets the loader. Until then, no overlay opens. */
export function provideOverlayCode(loader: () => Promise<OverlayCode>): void {
  load = loader;
}

/** Opens an overlay as soon as its code is loaded. */
export function openOverlay(overlay: Overlay): void {
  load?.().then((code) => code.openOverlay(overlay), ignore);
}

/** Preloads the palette; a failure is reported when the palette is opened. */
export function preloadPalette(): void {
  load?.().then((code) => code.preloadPalette(), ignore);
}
