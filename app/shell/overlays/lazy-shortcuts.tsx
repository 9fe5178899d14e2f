/**
 * The keyboard's shortcuts, the palette and the help, as far as a page has them at once: next to nothing. Their code is
 * loaded when the page has come alive and the browser is idle, or when somebody asks for it.
 */
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { onIdle } from '../../lib/idle/on-idle.ts';
import { Optional } from '../../lib/optional.tsx';
import { provideOverlayCode } from '../shortcuts/overlay-loader.ts';

const load = () => import('./keyboard.tsx');
const Keyboard = lazy(load);
const Button = lazy(() => load().then(({ PaletteButton }) => ({ default: PaletteButton })));

provideOverlayCode(load);

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
