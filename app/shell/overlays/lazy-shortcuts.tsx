/**
 * The keyboard shortcuts, the palette and the help: the small part that every page loads at once. Their
 * code is loaded when the page is hydrated and the browser is idle, or when the user requests it.
 */
import { lazy, type ReactNode, Suspense } from 'react';
import { useIsIdle } from '../../lib/idle/use-is-idle.ts';
import { Optional } from '../../lib/optional.tsx';
import { provideOverlayCode } from '../shortcuts/overlay-loader.ts';

const load = () => import('./keyboard.tsx');
const Keyboard = lazy(load);
const Button = lazy(() => load().then(({ PaletteButton }) => ({ default: PaletteButton })));

provideOverlayCode(load);

/** Loads the listener and the overlays when idle. Place it once, next to the page. */
export function Shortcuts() {
  return (
    <WhenIdle>
      <Keyboard />
    </WhenIdle>
  );
}

/** The palette's icon button; its space is reserved until it is loaded. */
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
  return (
    useIsIdle() && (
      <Optional>
        <Suspense>{children}</Suspense>
      </Optional>
    )
  );
}
