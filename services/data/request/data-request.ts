/** The unparsed request, and its headers and cookies as settings of the database. */
import type { IncomingHttpHeaders } from 'node:http';
import type { CancelSignal } from '@greenroom/postgres';
import { headerText } from '../headers.ts';

/** A request of the data API before the parse stage. */
export interface DataRequest {
  method: string;
  /** Percent-encoded, without the prefix of the service: `/films`. */
  path: string;
  /** The text after the `?`, not decoded. */
  queryString: string;
  headers: IncomingHttpHeaders;
  /** A JSON Web Token, not verified. */
  token: string | undefined;
  body: Buffer;
  /** Address that identifies the client for limits. Empty if the limits do not apply to the client. */
  clientAddress: string;
  /** Account of the caller, set once the token has been verified; for the log. */
  account?: string | undefined;
  /** Aborts when the client disconnects before the response is complete. */
  signal: CancelSignal;
}

/** Returns the value of a header, not decoded. Returns the first value of a repeated header. */
export function headerOf({ headers }: Pick<DataRequest, 'headers'>, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** Returns the setting `request.headers`: a JSON object of all headers except cookies. */
export function headersJson(headers: IncomingHttpHeaders): string {
  return Object.entries(headers).every(isPlainHeader) ? JSON.stringify(headers) : normalizedJson(headers);
}

function isPlainHeader([name, value]: [string, string | string[] | undefined]): boolean {
  return name !== 'cookie' && typeof value === 'string' && headerText(value) === value;
}

function normalizedJson(headers: IncomingHttpHeaders): string {
  const normalized: [string, string][] = [];
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || name === 'cookie') continue;
    normalized.push([name, headerText(Array.isArray(value) ? value.join(', ') : value)]);
  }
  return JSON.stringify(Object.fromEntries(normalized));
}

/** Returns the setting `request.cookies`: a JSON object of the cookies (RFC 6265 §4.2). The last cookie of a name wins. */
export function cookiesJson({ cookie }: IncomingHttpHeaders): string {
  if (cookie === undefined) return '{}';
  const pairs = headerText(cookie)
    .split(';')
    .flatMap((pair): [string, string][] => {
      const equals = pair.indexOf('=');
      return equals === -1 ? [] : [[pair.slice(0, equals).trim(), unquoted(pair.slice(equals + 1).trim())]];
    });
  return JSON.stringify(Object.fromEntries(pairs));
}

function unquoted(value: string): string {
  return value.length > 1 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value;
}
