/**
 * The error of this tab's page, if it has one: recorded here whatever its kind, so that everything which looks for an
 * error looks in one place. The first one counts; only a fatal one takes the place of one that was not.
 */
import { isRouteErrorResponse } from 'react-router';

/** Where in a page's life an error happened. */
type ErrorPhase =
  /** On the server: the page arrived as an error page. */
  | 'server'
  /** Before the page came alive. */
  | 'startup'
  /** While the page came alive. */
  | 'mounting'
  /** While another page was loaded. */
  | 'navigation'
  /** While a page that was alive was shown. */
  | 'rendering';

/** A recorded error. */
interface PageError {
  phase: ErrorPhase;
  /** HTTP's; 500 for whatever has none. */
  status: number;
  statusText: string;
  message: string;
  /** The page is of no use, and the error is shown instead. */
  fatal: boolean;
  /** Nobody raised it on purpose. */
  unhandled: boolean;
  data?: unknown;
}

/** Event of the window that tells about every error, recorded or not. Its `detail` is the {@link PageError}. */
const ERROR_EVENT = 'app:error';

const payload: { error: PageError | null } = { error: null };

/** Records an error, and tells whoever listens to {@link ERROR_EVENT}. */
export function recordPageError(error: PageError): void {
  if (payload.error === null || (error.fatal && !payload.error.fatal)) payload.error = error;
  window.dispatchEvent(new CustomEvent(ERROR_EVENT, { detail: error }));
}

/** The page that had the error is gone. */
export function clearPageError(): void {
  payload.error = null;
}

/** Describes whatever was thrown. Errors that a page raises on purpose say themselves whether they are fatal. */
export function toPageError(thrown: unknown, phase: ErrorPhase): PageError {
  if (isRouteErrorResponse(thrown)) {
    const { status, statusText } = thrown;
    const data: unknown = thrown.data;
    const { message = statusText, fatal = true } = raisedOnPurpose(data);
    return { phase, status, statusText, message, fatal, unhandled: false, data };
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return { phase, status: 500, statusText: 'Internal Server Error', message, fatal: true, unhandled: true };
}

function raisedOnPurpose(data: unknown): { message?: string; fatal?: boolean } {
  return typeof data === 'object' && data !== null ? data : {};
}

/** Shows the payload to whoever looks at the page from outside, as `window.__payload`. */
export function exposePayload(browser: Window): void {
  Object.defineProperty(browser, '__payload', { value: payload, configurable: true });
}
