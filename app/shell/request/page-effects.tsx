/** Runs background work while a page is open in a browser. Renders nothing visible. */
import { lazy, Suspense, useEffect } from 'react';
import { clearPageError } from '../../lib/error-payload.ts';
import { useIsIdle } from '../../lib/idle/use-is-idle.ts';
import { settleStartup } from '../errors/startup.ts';

/** Work that begins when the browser is idle; its code is loaded then, too. */
const IdleEffects = lazy(() => import('./idle-effects.tsx'));

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
  const isIdle = useIsIdle();
  return (
    isIdle && (
      <Suspense>
        <IdleEffects />
      </Suspense>
    )
  );
}
