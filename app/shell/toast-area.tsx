/** The area for toasts. Its code is loaded for signed-in users, otherwise with the first toast. */
import { lazy, Suspense } from 'react';
import { Optional } from '../lib/optional.tsx';
import { useIsHydrated } from '../lib/use-is-hydrated.ts';
import { useSession } from '../session/session-provider.tsx';
import { useToasts } from '../ui/use-toast.ts';

const ToastList = lazy(() => import('../ui/toast-list.tsx'));

/** Place it once, after everything else. */
export function ToastArea() {
  const toasts = useToasts();
  const { user } = useSession();
  const isNeeded = user !== null || toasts.length > 0;
  if (!useIsHydrated() || !isNeeded) return null;
  return (
    <Optional>
      <Suspense>
        <ToastList toasts={toasts} />
      </Suspense>
    </Optional>
  );
}
