/** How an error goes over the wire: always JSON, whatever was accepted. */

import { CatalogueError } from '@greenroom/errors';
import { type ConnectionFailure, connectionFailure, isConnectError, isCrowded } from '@greenroom/postgres';
import type { Caller } from './auth/caller.ts';
import { type DataErrorCode, type ErrorExtra, failure } from './errors.ts';
import { type Header, headerBytes } from './headers.ts';
import { QuerySyntaxError } from './query/syntax-error.ts';
import { parseRaisedResponse, RAISED_RESPONSE, type RaisedResponse } from './raised-response.ts';
import type { Answer } from './respond/answer.ts';
import { overrideHeaders } from './respond/headers.ts';
import type { DataConfig } from './settings/settings.ts';
import { isSqlError, raisedStatus, type SqlError, statusOfSqlError } from './sql-state.ts';

/** How long a client should wait before it asks again, in seconds: a lost database is asked for as often. */
const RETRY_AFTER_SECONDS = 1;

/** What the answer depends on besides the error. */
interface ErrorContext {
  /** Whether the role of the request is the anonymous one; also where it has none yet. */
  isAnonymous: boolean;
  /** `minimal` tells neither details nor hints. */
  verbosity: 'verbose' | 'minimal';
}

/** The body of every error. Where the verbosity is minimal, `details` and `hint` are not there. */
interface ErrorBody {
  code: string;
  details?: unknown;
  hint?: string | null;
  message: string;
}

/** An answer that tells an error. */
interface ErrorResponse {
  status: number;
  /** The reason phrase, where a function said one. */
  statusText: string | undefined;
  headers: readonly Header[];
  body: ErrorBody;
}

/** What every kind of error comes down to. */
interface Told {
  status: number;
  statusText?: string | undefined;
  headers: readonly Header[];
  body: Required<ErrorBody>;
}

/**
 * The answer to a request that failed.
 * @param config undefined until the schema has been read
 * @param caller undefined where the error came before it was known
 */
export function refuse(error: unknown, config: DataConfig | undefined, caller?: Caller): Answer {
  const { body, ...head } = errorResponse(error, {
    isAnonymous: caller?.isAnonymous ?? true,
    verbosity: config?.errorVerbosity ?? 'verbose',
  });
  return { ...head, body: JSON.stringify(body) };
}

/** Turns anything thrown into an answer. What is nobody's known error becomes PGRSTX00, which tells nothing. */
export function errorResponse(error: unknown, { isAnonymous, verbosity }: ErrorContext): ErrorResponse {
  const { status, statusText, headers, body } = tell(error, isAnonymous);
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

function tell(error: unknown, isAnonymous: boolean): Told {
  if (error instanceof CatalogueError) return tellCatalogued(error);
  if (error instanceof QuerySyntaxError) return tellSyntax(error);
  if (isSqlError(error) && !isConnectError(error)) return tellSql(error, isAnonymous);
  if (isCrowded(error)) return tellCatalogued(failure('PGRSTX01', { cause: error }));
  const connection = connectionFailure(error);
  const code = connection === undefined ? 'PGRSTX00' : CODE_OF_CONNECTION_FAILURE[connection];
  return tellCatalogued(failure(code, { cause: error }));
}

const CODE_OF_CONNECTION_FAILURE: Record<ConnectionFailure, DataErrorCode> = {
  'cannot connect': 'PGRST000',
  lost: 'PGRST001',
  'none free': 'PGRST003',
};

function tellCatalogued({ code, status, message, extra = {}, headers = {} }: CatalogueError): Told {
  const { details = null, hint = null }: ErrorExtra = extra;
  const challenge: Header[] = status === 401 ? [['www-authenticate', challengeOf(code, message)]] : [];
  return {
    status,
    headers: overrideHeaders(challenge, Object.entries(headers)),
    body: { code, details, hint, message },
  };
}

function tellSyntax({ message, expectation }: QuerySyntaxError): Told {
  return tellCatalogued(failure('PGRST100', { message, extra: { details: expectation } }));
}

function tellSql(error: SqlError, isAnonymous: boolean): Told {
  if (error.code === RAISED_RESPONSE) return tellRaised(error);
  const { code, message, detail, hint } = error;
  const status = statusOfSqlError(error, isAnonymous);
  return {
    status,
    statusText: raisedStatus(code) === undefined ? undefined : message,
    headers: status === 401 ? [['www-authenticate', 'Bearer']] : [],
    body: { code, details: detail ?? null, hint: hint ?? null, message },
  };
}

function tellRaised(error: SqlError): Told {
  try {
    const raised: RaisedResponse = parseRaisedResponse(error);
    const headers = raised.headers.map(([name, value]): Header => [name.toLowerCase(), headerBytes(value)]);
    return { ...raised, headers };
  } catch (malformed) {
    if (malformed instanceof CatalogueError) return tellCatalogued(malformed);
    throw malformed;
  }
}

/** RFC 6750 §3: only whoever sent a token is told that it is invalid. */
function challengeOf(code: string, message: string): string {
  if (code !== 'PGRST301' && code !== 'PGRST303') return 'Bearer';
  return `Bearer error="invalid_token", error_description="${quotable(message)}"`;
}

/** RFC 6750 §3 allows no quotes, no backslashes and nothing outside of ASCII in a description. */
function quotable(text: string): string {
  return text.replace(/["\\]/g, "'").replace(/[^\x20-\x7e]/g, '?');
}

/** RFC 9209 §2.3.1 wants a token; functions may raise any text as code. */
function proxyStatusError(code: string): string {
  return /^[\w!#$%&'*+.^`|~:/-]+$/.test(code) ? code : 'unknown';
}

/** A reason phrase cannot end its line, and is best left out where it is no plain text. */
function reasonPhrase(text: string | undefined): string | undefined {
  return text !== undefined && /^[\x20-\x7e]+$/.test(text) ? text : undefined;
}
