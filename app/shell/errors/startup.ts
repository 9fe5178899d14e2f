/**
 * The startup of a page, until hydration is complete: errors are recorded even if no other code catches
 * them.
 */
import { recordPageError, toPageError } from '../../lib/error-payload.ts';

let hasStarted = false;
let stopWatching = () => {};

/** Returns whether the first render has settled. */
export function isHydrated(): boolean {
  return hasStarted;
}

/**
 * Records uncaught errors until {@link settleStartup}. The page stays as it is, because they may be
 * harmless.
 */
export function watchStartup(browser: Window): void {
  const record = (thrown: unknown) => recordPageError({ ...toPageError(thrown, 'startup'), fatal: false });
  const onError = ({ error, message }: ErrorEvent) => record(error ?? message);
  const onRejection = ({ reason }: PromiseRejectionEvent) => record(reason);
  browser.addEventListener('error', onError);
  browser.addEventListener('unhandledrejection', onRejection);
  stopWatching = () => {
    browser.removeEventListener('error', onError);
    browser.removeEventListener('unhandledrejection', onRejection);
  };
}

/** Ends the startup after the first render, and records the errors that the server found for the routes. */
export function settleStartup(serverErrors: Readonly<Record<string, unknown>> | null): void {
  if (hasStarted) return;
  for (const error of Object.values(serverErrors ?? {})) recordPageError(toPageError(error, 'server'));
  // Errors of this commit still belong to the startup.
  setTimeout(() => {
    hasStarted = true;
    stopWatching();
  }, 0);
}
