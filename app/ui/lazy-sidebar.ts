/**
 * The sidebar as a component that is loaded when it is first needed. Pages for people who are signed in bring it with
 * their own modules; it is then there at once, without an empty place for a moment.
 */
import { type ComponentType, lazy } from 'react';
import type { Claims } from '../session/claims.ts';

/** What the sidebar's module offers. */
interface SidebarModule {
  default: ComponentType<{ user: Claims }>;
}

let arrived: SidebarModule | undefined;

/** Called by the sidebar's own module as soon as it is loaded. */
export function announceSidebar(module: SidebarModule): void {
  arrived = module;
}

/** Needs a Suspense around it. */
export const LazySidebar = lazy(() => (arrived ? atOnce(arrived) : import('./sidebar.tsx')));

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
