/**
 * Errors that pages raise on purpose. Each carries a code, which is translated for users, and an English
 * message.
 */
import { data } from 'react-router';
import type { ErrorCode } from '../texts/errors.ts';
import { errorMessage } from './error-message.ts';

/** The status and reason of an error. */
interface Refused {
  /** HTTP status, 400 or more. */
  status: number;
  code: ErrorCode;
  /** Inserted into the code's text, if the text has a place for it. */
  value?: string | undefined;
}

/** No page has this path (with query). The page that is shown stays usable: the error is not fatal. */
export function pageNotFound(fullPath: string) {
  return missing('pageNotFound', fullPath);
}

/** A page has this path, but its parameters or query are invalid. */
export function invalidRoute(fullPath: string) {
  return missing('invalidRoute', fullPath);
}

/** The request was rejected. */
export function refused({ status, code, value }: Refused) {
  return data(reason(code, value), { status });
}

/** The visitor's session cannot be verified, because the backend does not respond. */
export function backendUnreachable() {
  return refused({ status: 503, code: 'backendUnreachable' });
}

function missing(code: ErrorCode, path: string) {
  return data({ ...reason(code, path), path, fatal: false }, { status: 404, statusText: 'Not Found' });
}

function reason(code: ErrorCode, value: string | undefined) {
  const named = { code, ...(value !== undefined && { value }) };
  return { ...named, message: errorMessage(named, 'en') };
}
