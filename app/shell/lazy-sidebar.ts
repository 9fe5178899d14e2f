/**
 * The sidebar as a component that is loaded when it is first needed. Pages for people who are signed in bring it with
 * their own modules; it is then there at once, without an empty place for a moment.
 */
import { lazy } from 'react';
import { loadedSidebar } from './sidebar-module.ts';

/** Needs a Suspense around it. */
export const LazySidebar = lazy(() => {
  const loaded = loadedSidebar();
  return loaded ? atOnce(loaded) : import('./sidebar.tsx');
});

/** React shows what a thenable gives within its own call without waiting; a promise always takes a turn. */
function atOnce<T>(value: T): Promise<T> {
  const thenable: PromiseLike<T> = {
    // biome-ignore lint/suspicious/noThenProperty: being a thenable is what it is for
    then(resolve) {
      resolve?.(value);
      return Promise.resolve(value) as Promise<never>;
    },
  };
  return thenable as Promise<T>;
}
