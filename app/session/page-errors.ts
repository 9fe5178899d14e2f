/** Errors that pages raise on purpose. Each carries its reason as a code for people's words, and in English. */
import { data } from 'react-router';
import type { ErrorCode } from '../texts/errors.ts';
import { errorMessage } from './error-words.ts';

/** What a refusal tells. */
interface Refused {
  /** HTTP's, 400 or more. */
  status: number;
  code: ErrorCode;
  /** What the sentence is about, if it names something. */
  value?: string | undefined;
}

/** No page has this path (with query). The page around the visitor stays usable: the error is not fatal. */
export function pageNotFound(fullPath: string) {
  return missing('pageNotFound', fullPath);
}

/** A page has this path, but cannot show what the rest of the address asks for. */
export function invalidRoute(fullPath: string) {
  return missing('invalidRoute', fullPath);
}

/** A request that is not carried out. */
export function refused({ status, code, value }: Refused) {
  return data(reason(code, value), { status });
}

/** Nothing can be said about the visitor, because the backend does not answer. */
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
