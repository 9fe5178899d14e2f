/**
 * Converts errors to responses. The request header X-Supabase-Api-Version selects one of two shapes. Clients read
 * `code` as the error code only if the response echoes that header.
 */

import { CatalogueError } from '@greenroom/errors';
import { isDatabaseUnavailable } from '@greenroom/postgres';
import type { AuthResponse } from '../contracts/request.ts';
import { failure } from '../errors.ts';
import { isDatabaseError, statusOfSqlState } from '../lib/database-error.ts';
import { OAuthError } from './oauth-error.ts';

/** From this version on, `code` is the error code; in older versions, it is the HTTP status. */
const API_VERSION_2024 = '2024-01-01';
/** Delay in seconds after which a client should retry if the database is not available. */
const RETRY_AFTER_SECONDS = 1;
const CALENDAR_DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Properties of the request. `requestId` is part of responses with a status of 500 or above. */
interface ErrorContext {
  apiVersion: string | undefined;
  requestId: string;
}

/** Converts any thrown value to a response. An error that is not of the catalogue becomes a 500 without details. */
export function errorResponse(error: unknown, { apiVersion, requestId }: ErrorContext): AuthResponse {
  if (error instanceof OAuthError) return oauthResponse(error);
  const known = toCatalogueError(error);
  const headers = { 'x-sb-error-code': known.code, ...known.headers };
  if (hasVersion2024(apiVersion)) {
    const body = { code: known.code, message: known.message, ...known.extra };
    return {
      status: known.status,
      headers: { ...headers, 'x-supabase-api-version': API_VERSION_2024 },
      body,
      errorCode: known.code,
    };
  }
  const raised = raisedByDatabase(known.cause);
  if (raised !== undefined) return { ...raised, headers, errorCode: known.code };
  return { status: known.status, headers, body: legacyBody(known, requestId), errorCode: known.code };
}

/** Maps an unavailable database to 503. The official clients retry after a 503 and keep their session. */
function toCatalogueError(error: unknown): CatalogueError {
  const known = error instanceof CatalogueError ? error : failure('unexpected_failure', { cause: error });
  if (known.code !== 'unexpected_failure' || !isDatabaseUnavailable(known.cause)) return known;
  const { cause } = known;
  return failure('unexpected_failure', {
    status: 503,
    message: 'The database is not available. Try again shortly.',
    headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
    cause,
  });
}

function oauthResponse({ status, code, message, challenge }: OAuthError): AuthResponse {
  return {
    status,
    errorCode: code,
    headers: { 'cache-control': 'no-store', ...(challenge && { 'www-authenticate': challenge }) },
    body: { error: code, error_description: message },
  };
}

function hasVersion2024(version: string | undefined): boolean {
  if (version === undefined || !CALENDAR_DATE.test(version)) return false;
  const date = new Date(`${version}T00:00:00Z`);
  const exists = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(version);
  return exists && version >= API_VERSION_2024;
}

function legacyBody(
  { status, code, message, extra }: CatalogueError,
  requestId: string,
): Record<string, unknown> {
  const errorId = status >= 500 ? { error_id: requestId } : {};
  return { code: status, error_code: code, msg: message, ...errorId, ...extra };
}

/**
 * Returns errors that a project's own triggers on `auth` tables raise, so that clients see them. The SQLSTATE PTxyz
 * sets the HTTP status xyz.
 */
function raisedByDatabase(cause: unknown): Pick<AuthResponse, 'status' | 'body'> | undefined {
  if (!isDatabaseError(cause)) return undefined;
  const { code, message, hint, detail } = cause;
  const status = statusOfSqlState(code);
  if (status === undefined) return undefined;
  return { status, body: { code, message, hint: hint || undefined, detail: detail || undefined } };
}
