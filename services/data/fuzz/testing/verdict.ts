/** Rules that the response to any request must satisfy. */
import { gatewayErrors } from '@greenroom/http';
import { dataErrors } from '../../errors.ts';
import { statusOfSqlError } from '../../sql-state.ts';
import type { RawResponse } from './raw-http.ts';

const SQLSTATE = /^[0-9A-Z]{5}$/;
const MEMBERS = ['code', 'details', 'hint', 'message'];

/** Returns the problem of a response, or undefined if it is valid. */
export function problemOf(response: RawResponse, isHead: boolean): string | undefined {
  const { status } = response;
  if (!(status >= 200 && status < 600)) return `the status ${status}`;
  if (status < 300) return isHead ? undefined : problemOfBody(response);
  if (status >= 500 && !isOfDatabase(codeOf(response), status))
    return `the status ${status} with ${codeOf(response)}`;
  return isHead ? undefined : problemOfError(response);
}

/** Returns the code of an error, also without a body. */
export function codeOf({ headers, body }: RawResponse): string {
  return /error=(.+)$/.exec(headers.get('proxy-status') ?? '')?.[1] ?? String(jsonOf(body)?.code ?? '');
}

function problemOfBody({ headers, body }: RawResponse): string | undefined {
  const isJson = /^application\/(vnd\.pgrst\.(object|array)\+)?json/.test(headers.get('content-type') ?? '');
  if (!isJson || body.length === 0) return undefined;
  try {
    JSON.parse(body.toString());
    return undefined;
  } catch {
    return 'a body that is no JSON';
  }
}

function problemOfError({ headers, body, status }: RawResponse): string | undefined {
  const error = jsonOf(body);
  if (error === undefined) return `an error without JSON: ${status}`;
  if (headers.get('content-type') !== 'application/json; charset=utf-8') return 'an error of another type';
  const { code } = error;
  if (typeof code !== 'string' || typeof error.message !== 'string')
    return 'an error without code or message';
  // The platform rejects these before they reach the service.
  if (Object.hasOwn(gatewayErrors, code)) return undefined;
  if (Object.keys(error).join() !== MEMBERS.join()) return `an error with ${Object.keys(error).join()}`;
  return Object.hasOwn(dataErrors, code) || SQLSTATE.test(code) ? undefined : `the unknown code ${code}`;
}

/** Whether an error of PostgreSQL has this status. */
export function isOfDatabase(code: string, status: number): boolean {
  const error = Object.assign(new Error(''), { code });
  return SQLSTATE.test(code) && statusOfSqlError(error, false) === status;
}

function jsonOf(body: Buffer): Record<string, unknown> | undefined {
  try {
    return JSON.parse(body.toString()) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
