/** The time until a page has come alive: errors in it are recorded even where nothing else notices them. */
import { recordPageError, toPageError } from '../../lib/error-payload.ts';

let hasStarted = false;
let stopWatching = () => {};

/** Whether the first render has settled. */
export function isAlive(): boolean {
  return hasStarted;
}

/** Records errors that nobody catches, until {@link settleStartup}. The page stays as it is: they may be harmless. */
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

/** The page has been rendered for the first time, with the errors that the server already found for its routes. */
export function settleStartup(serverErrors: Readonly<Record<string, unknown>> | null): void {
  if (hasStarted) return;
  for (const error of Object.values(serverErrors ?? {})) recordPageError(toPageError(error, 'server'));
  // What fails in this very commit still belongs to the start.
  setTimeout(() => {
    hasStarted = true;
    stopWatching();
  }, 0);
}
