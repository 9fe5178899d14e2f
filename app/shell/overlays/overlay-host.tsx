/**
 * Renders the palette, the keyboard help and the dialog about unsent edits. The code of each is loaded when
 * it is first opened.
 */
import { type ComponentType, useEffect, useState } from 'react';
import { retriableImport } from '../../lib/modules/retriable-import.ts';
import { Optional } from '../../lib/optional.tsx';
import { shortcutLoadTexts } from '../../texts/shortcut-load.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { useToast } from '../../ui/use-toast.ts';
import { closeOverlay, type Overlay, useOverlay } from '../shortcuts/overlay.ts';

/**
 * Stays mounted once loaded, so that it can animate its closing and receive results of the actions that it
 * started.
 */
type OverlayView = ComponentType<{ isOpen: boolean }>;

const LOAD: Record<Overlay, () => Promise<{ default: OverlayView }>> = {
  palette: retriableImport(() => import('../palette/palette.tsx')),
  help: retriableImport(() => import('../shortcuts/help-dialog.tsx')),
  unsent: retriableImport(() => import('../sign-out/unsent-dialog.tsx')),
};

/** Preloads the palette's code. */
export function preloadPalette(): void {
  // Loading is retried when the palette is opened.
  LOAD.palette().catch(() => {});
}

/** Renders the overlays that were opened. */
export function OverlayHost() {
  const open = useOverlay();
  return useViews(open).map(([overlay, View]) => (
    <Optional key={overlay}>
      <View isOpen={overlay === open} />
    </Optional>
  ));
}

/** Returns all overlays that were opened so far. */
function useViews(open: Overlay | undefined): [Overlay, OverlayView][] {
  const [views, setViews] = useState<[Overlay, OverlayView][]>([]);
  const { failed } = useTexts(shortcutLoadTexts);
  const { add } = useToast();
  useEffect(() => {
    if (!open || views.some(([overlay]) => overlay === open)) return;
    const take = ({ default: View }: { default: OverlayView }) =>
      setViews((known) => [...known.filter(([overlay]) => overlay !== open), [open, View]]);
    const onFailure = () => {
      closeOverlay();
      add({ kind: 'error', title: failed });
    };
    LOAD[open]().then(take, onFailure);
  }, [open, views, failed, add]);
  return views;
}
