/**
 * The area for toasts, and other parts of the shell that a page needs only later. Their code is loaded when the browser of a
 * signed-in user is idle, so that toasts work without a network, and otherwise with the first toast.
 */
import { lazy, Suspense } from 'react';
import { useIsIdle } from '../lib/idle/use-is-idle.ts';
import { Optional } from '../lib/optional.tsx';
import { useSession } from '../session/session-provider.tsx';
import { useToasts } from '../ui/use-toast.ts';

const IdleParts = lazy(() => import('./idle-parts.tsx'));

/** Place it once, after everything else. */
export function ToastArea() {
  const toasts = useToasts();
  const { user } = useSession();
  const isLoadedAhead = useIsIdle() && user !== null;
  if (!isLoadedAhead && toasts.length === 0) return null;
  return (
    <Optional>
      <Suspense>
        <IdleParts toasts={toasts} isSignedIn={isLoadedAhead} />
      </Suspense>
    </Optional>
  );
}
