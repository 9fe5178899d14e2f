/**
 * Reacts to new builds of the server: the user is notified, and the page is reloaded at a safe moment: with
 * the next navigation (see `payload/client-payload.ts`), or while the tab is hidden and nothing would be
 * lost.
 */
import { useEffect, useSyncExternalStore } from 'react';
import { createFetch } from '../../lib/fetch/create-fetch.ts';
import { onIdle } from '../../lib/idle/on-idle.ts';
import { isOutdated, markOutdated, subscribeToOutdated } from '../../lib/modules/outdated.ts';
import { hasUnsavedInput } from '../../lib/modules/unsaved-input.ts';
import type { PageConfig } from '../../lib/page/page-config.ts';
import { usePage } from '../../lib/page/page-context.tsx';
import { updateTexts } from '../../texts/updates.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { useToast } from '../../ui/use-toast.ts';
import { warmManifest, watchBuilds } from './watch-builds.ts';

/** Delay after idle before this build's manifest is fetched. */
const WARM_UP_MS = 1000;
const TOAST_ID = 'new-build';

/** Use it once, in the layout around every page. */
export function useBuildUpdates(): void {
  const { config, isProduction } = usePage();
  const isOld = useSyncExternalStore(subscribeToOutdated, isOutdated, () => false);
  const texts = useTexts(updateTexts);
  const { add } = useToast();
  useEffect(() => (isProduction ? follow(config) : undefined), [config, isProduction]);
  useEffect(() => {
    if (!isOld) return;
    const action = { label: texts.reload, onSelect: () => location.reload() };
    add({
      id: TOAST_ID,
      kind: 'info',
      title: texts.title,
      description: texts.description,
      action,
      duration: Infinity,
    });
    document.addEventListener('visibilitychange', reloadIfSafe);
    return () => document.removeEventListener('visibilitychange', reloadIfSafe);
  }, [isOld, texts, add]);
}

function follow(config: PageConfig): () => void {
  const watch = { config, fetchJson: createFetch({ baseURL: '/' }), now: Date.now, onOutdated: markOutdated };
  let timer: ReturnType<typeof setTimeout>;
  let stop = () => {};
  const cancel = onIdle(() => {
    timer = setTimeout(() => void (isSlow() || warmManifest(watch)), WARM_UP_MS);
    stop = watchBuilds(watch);
  });
  return () => {
    cancel();
    clearTimeout(timer);
    stop();
  };
}

/** Chromium reports the type of the connection; other browsers do not. */
function isSlow(): boolean {
  const { connection } = navigator as Navigator & { connection?: { effectiveType?: string } };
  return connection?.effectiveType === 'slow-2g';
}

function reloadIfSafe(): void {
  const { navigation, fetchers } = window.__reactRouterDataRouter.state;
  const isBusy = navigation.state !== 'idle' || [...fetchers.values()].some(({ state }) => state !== 'idle');
  if (document.visibilityState === 'hidden' && !isBusy && !hasUnsavedInput(document)) location.reload();
}
