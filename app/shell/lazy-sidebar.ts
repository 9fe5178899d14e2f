/**
 * Loads the sidebar on demand. Pages for signed-in users load it with their own modules; then it renders at
 * once, without a loading state.
 */
import { lazy } from 'react';
import { loadedSidebar } from './sidebar-module.ts';

/** The sidebar as a lazy component; needs a Suspense boundary. */
export const LazySidebar = lazy(() => {
  const loaded = loadedSidebar();
  return loaded ? synchronousThenable(loaded) : import('./sidebar.tsx');
});

/**
 * Returns a thenable that resolves synchronously, so that React renders without suspending; a promise
 * always resolves later.
 */
function synchronousThenable<T>(value: T): Promise<T> {
  const thenable: PromiseLike<T> = {
    // biome-ignore lint/suspicious/noThenProperty: it is a thenable on purpose
    then(resolve) {
      resolve?.(value);
      return Promise.resolve(value) as Promise<never>;
    },
  };
  return thenable as Promise<T>;
}
