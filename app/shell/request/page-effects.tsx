/** Runs background work while a page is open in a browser. Renders nothing visible. */
import { useEffect } from 'react';
import { clearPageError } from '../../lib/error-payload.ts';
import { settleStartup } from '../errors/startup.ts';
import { LinkPrefetch } from '../payload/link-prefetch.tsx';
import { useBuildUpdates } from '../updates/update-notice.ts';

/** Forgets the recorded error when the user leaves its page. */
function clearErrorOnNavigation(): () => void {
  return window.__reactRouterDataRouter.subscribe(({ navigation }) => {
    if (navigation.state === 'loading') clearPageError();
  });
}

/** Place it once, in the document. */
export function PageEffects() {
  useEffect(() => settleStartup(window.__reactRouterDataRouter.state.errors), []);
  useEffect(clearErrorOnNavigation, []);
  useBuildUpdates();
  return <LinkPrefetch />;
}
