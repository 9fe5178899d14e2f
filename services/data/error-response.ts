/** Converts errors to responses. The body is always JSON, regardless of the Accept header. */

import { CatalogueError } from '@greenroom/errors';
import { type ConnectionFailure, connectionFailure, isConnectError, isQueueFull } from '@greenroom/postgres';
import type { Caller } from './auth/caller.ts';
import { type DataErrorCode, type ErrorExtra, failure } from './errors.ts';
import { type Header, headerBytes } from './headers.ts';
import { QuerySyntaxError } from './query/syntax-error.ts';
import { parseRaisedResponse, RAISED_RESPONSE, type RaisedResponse } from './raised-response.ts';
import { overrideHeaders } from './respond/headers.ts';
import type { HttpResponse } from './respond/http-response.ts';
import type { DataConfig } from './settings/settings.ts';
import { isSqlError, raisedStatus, type SqlError, statusOfSqlError } from './sql-state.ts';

/** Value of `Retry-After`. The pool reconnects to a lost database at the same interval. */
const RETRY_AFTER_SECONDS = 1;

/** Properties of the request that influence an error response. */
interface ErrorContext {
  /** Whether the request runs as the anonymous role. Also true before the caller is known. */
  isAnonymous: boolean;
  /** `minimal` omits `details` and `hint`. */
  verbosity: 'verbose' | 'minimal';
}

/** The body of every error response. A minimal verbosity omits `details` and `hint`. */
interface ErrorBody {
  code: string;
  details?: unknown;
  hint?: string | null;
  message: string;
}

interface ErrorResponse {
  status: number;
  /** The reason phrase, if a function raised one. */
  statusText: string | undefined;
  headers: readonly Header[];
  body: ErrorBody;
}

/** The parts of an error response that depend on the kind of the error. */
interface ErrorParts {
  status: number;
  statusText?: string | undefined;
  headers: readonly Header[];
  body: Required<ErrorBody>;
}

/**
 * Returns the response to a failed request.
 * @param config undefined until the schema has been read
 * @param caller undefined if the request failed before its caller was known
 */
export function refuse(error: unknown, config: DataConfig | undefined, caller?: Caller): HttpResponse {
  const { body, ...head } = errorResponse(error, {
    isAnonymous: caller?.isAnonymous ?? true,
    verbosity: config?.errorVerbosity ?? 'verbose',
  });
  return { ...head, body: JSON.stringify(body), errorCode: body.code };
}

/** Converts any thrown value to a response. An unknown error becomes PGRSTX00 without details. */
export function errorResponse(error: unknown, { isAnonymous, verbosity }: ErrorContext): ErrorResponse {
  const { status, statusText, headers, body } = partsOf(error, isAnonymous);
  const { code, details, hint, message } = body;
  const own: Header[] = [
    ['content-type', 'application/json; charset=utf-8'],
    ['proxy-status', `PostgREST; error=${proxyStatusError(code)}`],
    ...(status === 503 || code === 'PGRSTX01' ? [['retry-after', String(RETRY_AFTER_SECONDS)] as const] : []),
  ];
  return {
    status,
    statusText: reasonPhrase(statusText),
    headers: overrideHeaders(own, headers),
    body: verbosity === 'minimal' ? { code, message } : { code, details, hint, message },
  };
}

function partsOf(error: unknown, isAnonymous: boolean): ErrorParts {
  if (error instanceof CatalogueError) return cataloguedParts(error);
  if (error instanceof QuerySyntaxError) return syntaxParts(error);
  if (isSqlError(error) && !isConnectError(error)) return sqlParts(error, isAnonymous);
  if (isQueueFull(error)) return cataloguedParts(failure('PGRSTX01', { cause: error }));
  const connection = connectionFailure(error);
  const code = connection === undefined ? 'PGRSTX00' : CODE_OF_CONNECTION_FAILURE[connection];
  return cataloguedParts(failure(code, { cause: error }));
}

const CODE_OF_CONNECTION_FAILURE: Record<ConnectionFailure, DataErrorCode> = {
  'cannot connect': 'PGRST000',
  lost: 'PGRST001',
  'none free': 'PGRST003',
};

function cataloguedParts({ code, status, message, extra = {}, headers = {} }: CatalogueError): ErrorParts {
  const { details = null, hint = null }: ErrorExtra = extra;
  const challenge: Header[] = status === 401 ? [['www-authenticate', challengeOf(code, message)]] : [];
  return {
    status,
    headers: overrideHeaders(challenge, Object.entries(headers)),
    body: { code, details, hint, message },
  };
}

function syntaxParts({ message, expectation }: QuerySyntaxError): ErrorParts {
  return cataloguedParts(failure('PGRST100', { message, extra: { details: expectation } }));
}

function sqlParts(error: SqlError, isAnonymous: boolean): ErrorParts {
  if (error.code === RAISED_RESPONSE) return raisedParts(error);
  const { code, message, detail, hint } = error;
  const status = statusOfSqlError(error, isAnonymous);
  return {
    status,
    statusText: raisedStatus(code) === undefined ? undefined : message,
    headers: status === 401 ? [['www-authenticate', 'Bearer']] : [],
    body: { code, details: detail ?? null, hint: hint ?? null, message },
  };
}

function raisedParts(error: SqlError): ErrorParts {
  try {
    const raised: RaisedResponse = parseRaisedResponse(error);
    const headers = raised.headers.map(([name, value]): Header => [name.toLowerCase(), headerBytes(value)]);
    return { ...raised, headers };
  } catch (malformed) {
    if (malformed instanceof CatalogueError) return cataloguedParts(malformed);
    throw malformed;
  }
}

/** RFC 6750 §3: `invalid_token` requires that the request had a token. */
function challengeOf(code: string, message: string): string {
  if (code !== 'PGRST301' && code !== 'PGRST303') return 'Bearer';
  return `Bearer error="invalid_token", error_description="${quotable(message)}"`;
}

/** RFC 6750 §3 allows no quotes, no backslashes and nothing outside of ASCII in a description. */
function quotable(text: string): string {
  return text.replace(/["\\]/g, "'").replace(/[^\x20-\x7e]/g, '?');
}

/** RFC 9209 §2.3.1 requires a token, but functions may raise any text as the error code. */
function proxyStatusError(code: string): string {
  return /^[\w!#$%&'*+.^`|~:/-]+$/.test(code) ? code : 'unknown';
}

/** Omits a reason phrase that is not printable ASCII: a line break in it would end the status line. */
function reasonPhrase(text: string | undefined): string | undefined {
  return text !== undefined && /^[\x20-\x7e]+$/.test(text) ? text : undefined;
}
