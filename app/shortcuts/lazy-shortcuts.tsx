/**
 * The keyboard's shortcuts, the palette and the help, as far as a page has them at once: next to nothing. Their code is
 * loaded when the page has come alive and the browser is idle, or when somebody asks for it.
 */
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { Optional } from '../errors/optional.tsx';
import { onIdle } from '../idle/on-idle.ts';
import type { Overlay } from './overlay.ts';

const load = () => import('./keyboard.tsx');
const Keyboard = lazy(load);
const Button = lazy(() => load().then(({ PaletteButton }) => ({ default: PaletteButton })));
const ignore = () => {};

/** Listens and shows. Place it once, beside every page. */
export function Shortcuts() {
  return (
    <WhenIdle>
      <Keyboard />
    </WhenIdle>
  );
}

/** The palette's button, a sign alone, with its place kept free until it works. */
export function LazyPaletteButton() {
  return (
    <span className="size-8 shrink-0">
      <WhenIdle>
        <Button />
      </WhenIdle>
    </span>
  );
}

function WhenIdle({ children }: { children: ReactNode }) {
  const [isIdle, setIsIdle] = useState(false);
  useEffect(() => onIdle(() => setIsIdle(true)), []);
  return (
    isIdle && (
      <Optional>
        <Suspense>{children}</Suspense>
      </Optional>
    )
  );
}

/** Opens the palette or the help, as soon as the code for that is there. */
export function openOverlay(overlay: Overlay): void {
  load().then((keyboard) => keyboard.openOverlay(overlay), ignore);
}

/** Loads the palette ahead; a failure shows when it is needed. */
export function preloadPalette(): void {
  load().then((keyboard) => keyboard.preloadPalette(), ignore);
}
