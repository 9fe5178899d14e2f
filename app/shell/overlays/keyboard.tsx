/** Handles keyboard shortcuts on every page, and shows the overlays. Loaded by `lazy-shortcuts.tsx`. */
import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { usePage } from '../../lib/page/page-context.tsx';
import { isAdmin } from '../../session/access.ts';
import { useSession } from '../../session/session-provider.tsx';
import { isPageId, navigationPaths } from '../navigation.ts';
import type { Viewer } from '../scope.ts';
import { consumesKeys, readStroke } from '../shortcuts/key-stroke.ts';
import { setListening } from '../shortcuts/listening.ts';
import { matchStroke, type Pending } from '../shortcuts/match-stroke.ts';
import { openOverlay, togglePalette } from '../shortcuts/overlay.ts';
import { isAppleDevice } from '../shortcuts/platform.ts';
import { isOfSingleKeys, type Shortcut, shortcutsFor } from '../shortcuts/shortcuts.ts';
import { areSingleKeysOn } from '../shortcuts/single-keys.ts';
import { useNextColourMode } from '../shortcuts/use-next-colour-mode.ts';
import { OverlayHost } from './overlay-host.tsx';

export { PaletteButton } from '../palette/palette-button.tsx';
export { openOverlay } from '../shortcuts/overlay.ts';
export { preloadPalette } from './overlay-host.tsx';

/** Place it once, next to the page. */
export default function Keyboard() {
  const perform = usePerform();
  const { user } = useSession();
  useKeyboard({ isSignedIn: user !== null, isAdmin: user !== null && isAdmin(user) }, perform);
  return <OverlayHost />;
}

/** Runs a shortcut. Returns false if other code handles it. */
type Perform = (shortcut: Shortcut) => boolean;

function usePerform(): Perform {
  const navigate = useNavigate();
  const paths = navigationPaths(usePage().config.redirectOptions.login);
  const chooseNextColourMode = useNextColourMode();
  return ({ id, run }) => {
    if (id === 'notifications') return false;
    if (run) run(navigate);
    else if (id === 'palette') togglePalette();
    else if (id === 'help') openOverlay('help');
    else if (id === 'colourMode') chooseNextColourMode();
    else if (isPageId(id)) void navigate(paths[id]);
    else void navigate(id);
    return true;
  };
}

function useKeyboard(viewer: Viewer, perform: Perform): void {
  const { config, language } = usePage();
  const latest = useRef({ viewer, perform, site: config.site, language });
  useEffect(() => {
    latest.current = { viewer, perform, site: config.site, language };
  });
  useEffect(() => {
    const isApple = isAppleDevice();
    let pending: Pending | undefined;
    const onKeyDown = (event: KeyboardEvent) => {
      const stroke = event.defaultPrevented ? undefined : readStroke(event, isApple);
      if (stroke === undefined) return;
      const isTaken = consumesKeys(event.target) && !stroke.startsWith('Mod+');
      const shortcuts = isTaken ? [] : shortcutsFor(latest.current.viewer, latest.current);
      const result = matchStroke<Shortcut>(shortcuts, stroke, pending, event.timeStamp);
      pending = result.pending;
      const { matched } = result;
      if (!matched || (isOfSingleKeys(matched.keys) && !areSingleKeysOn(window))) return;
      if (latest.current.perform(matched)) event.preventDefault();
    };
    // Listens on the window, because elements of the page handle a key first and may prevent its default.
    window.addEventListener('keydown', onKeyDown);
    setListening(true);
    return () => {
      window.removeEventListener('keydown', onKeyDown);
      setListening(false);
    };
  }, []);
}
