/**
 * The error of the current page in this tab. Every kind of error is recorded here, so that tests and
 * monitoring read a single place. The first error is kept; only a fatal one replaces an earlier error that
 * was not fatal.
 */
import { isRouteErrorResponse } from 'react-router';

/** The stage of a page's life in which an error happened. */
type ErrorPhase =
  /** On the server: the document arrived as an error page. */
  | 'server'
  /** Before hydration began. */
  | 'startup'
  /** During hydration. */
  | 'mounting'
  /** While the router loaded another page. */
  | 'navigation'
  /** While a hydrated page was shown. */
  | 'rendering';

interface PageError {
  phase: ErrorPhase;
  /** HTTP status; 500 for errors without a status. */
  status: number;
  statusText: string;
  message: string;
  /** The page cannot be used; the error page replaces it. */
  fatal: boolean;
  /** No page raised this error on purpose. */
  unhandled: boolean;
  data?: unknown;
}

/**
 * Window event that is dispatched for every error, recorded or not. Its `detail` is the {@link PageError}.
 */
const ERROR_EVENT = 'app:error';

const payload: { error: PageError | null } = { error: null };

/** Records an error, and dispatches {@link ERROR_EVENT}. */
export function recordPageError(error: PageError): void {
  if (payload.error === null || (error.fatal && !payload.error.fatal)) payload.error = error;
  window.dispatchEvent(new CustomEvent(ERROR_EVENT, { detail: error }));
}

/** Forgets the recorded error. Call it when the page that had the error is left. */
export function clearPageError(): void {
  payload.error = null;
}

/**
 * Converts any thrown value to a {@link PageError}. Errors that a page raises on purpose state whether they
 * are fatal.
 */
export function toPageError(thrown: unknown, phase: ErrorPhase): PageError {
  if (isRouteErrorResponse(thrown)) {
    const { status, statusText } = thrown;
    const data: unknown = thrown.data;
    const { message = statusText, fatal = true } = raisedData(data);
    return { phase, status, statusText, message, fatal, unhandled: false, data };
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return { phase, status: 500, statusText: 'Internal Server Error', message, fatal: true, unhandled: true };
}

function raisedData(data: unknown): { message?: string; fatal?: boolean } {
  return typeof data === 'object' && data !== null ? data : {};
}

/** Exposes the recorded error to browser tests and monitoring as `window.__payload`. */
export function exposePayload(browser: Window): void {
  Object.defineProperty(browser, '__payload', { value: payload, configurable: true });
}
