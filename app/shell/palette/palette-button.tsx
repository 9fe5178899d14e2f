/** The button that opens the palette. It appears only when its keyboard shortcut works, too. */
import { type ReactNode, useRef } from 'react';
import { onIdle } from '../../lib/idle/on-idle.ts';
import { shortcutLoadTexts } from '../../texts/shortcut-load.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Icon } from '../../ui/icon.tsx';
import { useIsListening } from '../shortcuts/listening.ts';
import { openOverlay, preloadPalette } from '../shortcuts/overlay-loader.ts';
import { useIsApple } from '../shortcuts/platform.ts';

const ICON_ONLY =
  'inline-flex size-8 items-center justify-center rounded-control text-ink-muted transition-colors hover:bg-hover ' +
  'hover:text-ink';

/** Shows only an icon, unless it has `children`, which then provide its label. */
export function PaletteButton({
  className = ICON_ONLY,
  children,
}: {
  className?: string;
  children?: ReactNode;
}) {
  const { search } = useTexts(shortcutLoadTexts);
  const isApple = useIsApple();
  const isListening = useIsListening();
  const isLoading = useRef(false);
  const loadAhead = () => {
    if (!isLoading.current) onIdle(preloadPalette);
    isLoading.current = true;
  };
  return (
    <button
      type="button"
      aria-label={children ? undefined : search}
      aria-haspopup="dialog"
      aria-keyshortcuts={isApple ? 'Meta+K' : 'Control+K'}
      onClick={() => openOverlay('palette')}
      onPointerOver={loadAhead}
      className={`shrink-0 ${isListening ? '' : 'invisible'} ${className}`}
    >
      <Icon name="search" className="size-4.5" />
      {children}
    </button>
  );
}
