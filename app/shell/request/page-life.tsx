/** What goes on around every page while it is open in a browser. Shows nothing. */
import { useEffect } from 'react';
import { clearPageError } from '../../lib/error-payload.ts';
import { settleStartup } from '../errors/startup.ts';
import { LinkPrefetch } from '../payload/link-prefetch.tsx';
import { useBuildUpdates } from '../updates/update-notice.ts';

/** An error goes with its page. */
function clearErrorsOnTheWay(): () => void {
  return window.__reactRouterDataRouter.subscribe(({ navigation }) => {
    if (navigation.state === 'loading') clearPageError();
  });
}

/** Place it once, in the document. */
export function PageLife() {
  useEffect(() => settleStartup(window.__reactRouterDataRouter.state.errors), []);
  useEffect(clearErrorsOnTheWay, []);
  useBuildUpdates();
  return <LinkPrefetch />;
}
