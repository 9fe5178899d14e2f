/** The response to a request, and the headers that all responses have in common. */
import type { LargeBody, Outcome } from '../execute/outcome.ts';
import type { Header } from '../headers.ts';
import { type DataRequest, headerOf } from '../request/data-request.ts';
import { overrideHeaders, parseResponseHeaders, parseResponseStatus, VARY } from './headers.ts';

const VARY_AND_ORIGIN: Header = [VARY[0], `${VARY[1]}, Origin`];

/** An HTTP response. */
export interface HttpResponse {
  status: number;
  /** The reason phrase, if a function raised one. */
  statusText?: string | undefined;
  headers: readonly Header[];
  body: Buffer | string | LargeBody | undefined;
  /** Code of the error in the body; functions of the database may raise any text. */
  errorCode?: string | undefined;
}

/**
 * Adds the status and the headers that functions have set (`response.status`, `response.headers`).
 * @throws PGRST111, PGRST112
 */
export function withResponseSettings(
  response: HttpResponse,
  { responseHeaders, responseStatus }: Pick<Outcome, 'responseHeaders' | 'responseStatus'>,
): HttpResponse {
  if (responseHeaders === undefined && responseStatus === undefined) return response;
  return {
    ...response,
    status: parseResponseStatus(responseStatus) ?? response.status,
    headers: overrideHeaders(response.headers, parseResponseHeaders(responseHeaders)),
  };
}

/**
 * Adds the header Vary, which every response except an error has.
 * @param dependsOnOrigin whether CORS allows only some origins
 */
export function withVary(response: HttpResponse, dependsOnOrigin: boolean): HttpResponse {
  const { headers } = response;
  for (const [name] of headers) if (name === VARY[0]) return response;
  return { ...response, headers: [dependsOnOrigin ? VARY_AND_ORIGIN : VARY, ...headers] };
}

/**
 * Copies the trace header of the request to the response.
 * @param name the setting `server-trace-header`
 */
export function withTraceHeader(
  response: HttpResponse,
  name: string | undefined,
  http: Pick<DataRequest, 'headers'>,
): HttpResponse {
  const value = name === undefined ? undefined : headerOf(http, name);
  if (name === undefined || value === undefined) return response;
  return { ...response, headers: [...response.headers, [name, value]] };
}
