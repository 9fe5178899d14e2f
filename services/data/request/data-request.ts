/** A request as it came in, and its headers as settings of the database. */
import type { IncomingHttpHeaders } from 'node:http';
import type { CancelSignal } from '@greenroom/postgres';
import { headerText } from '../headers.ts';

/** A request of the data API. */
export interface DataRequest {
  method: string;
  /** Still percent-encoded, without the prefix of the service: `/films`. */
  path: string;
  /** What follows the `?`, as it was sent. */
  queryString: string;
  /** As Node.js has them. */
  headers: IncomingHttpHeaders;
  /** A JSON Web Token, not verified. */
  token: string | undefined;
  body: Buffer;
  /** Address that limits count the client under; empty where it is not counted. */
  clientAddress: string;
  /** Aborts when the client disconnects before the answer. */
  signal: CancelSignal;
}

/** One header as it was sent; of several the first. */
export function headerOf({ headers }: Pick<DataRequest, 'headers'>, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** The setting `request.headers`: an object of all headers but cookies. */
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

/** The setting `request.cookies`: an object of them (RFC 6265 §4.2). Of one name, the last counts. */
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
