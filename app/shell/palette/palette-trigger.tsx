import { shortcutLoadTexts } from '../../texts/shortcut-load.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { ShortcutKeys } from '../shortcuts/shortcut-keys.tsx';
import { PaletteButton } from './palette-button.tsx';

/**
 * The button that opens the palette in the app's navigation: looks like a search field on wide screens,
 * otherwise an icon.
 */
export function PaletteTrigger() {
  const { search } = useTexts(shortcutLoadTexts);
  return (
    <PaletteButton
      className="inline-flex size-8 items-center justify-center gap-2 rounded-control text-ink-muted transition-colors
        hover:bg-hover hover:text-ink lg:h-8 lg:w-full lg:justify-start lg:border lg:border-line lg:bg-surface
        lg:px-2.5 lg:hover:border-line-strong lg:hover:bg-surface"
    >
      <span className="min-w-0 flex-1 truncate text-start text-small max-lg:sr-only">{search}</span>
      <span aria-hidden="true" className="max-lg:hidden">
        <ShortcutKeys keys="Mod+k" />
      </span>
    </PaletteButton>
  );
}
