/** The response to a request, and the headers that all responses have in common. */
import type { LargeBody, Outcome } from '../execute/outcome.ts';
import type { Header } from '../headers.ts';
import { type DataRequest, headerOf } from '../request/data-request.ts';
import { overrideHeaders, parseResponseHeaders, parseResponseStatus, VARY } from './headers.ts';

const VARY_AND_ORIGIN: Header = [VARY[0], `${VARY[1]}, Origin`];

/** An HTTP response. */
export interface Answer {
  status: number;
  /** The reason phrase, if a function raised one. */
  statusText?: string | undefined;
  headers: readonly Header[];
  body: Buffer | string | LargeBody | undefined;
}

/**
 * Adds the status and the headers that functions have set (`response.status`, `response.headers`).
 * @throws PGRST111, PGRST112
 */
export function withResponseSettings(
  answer: Answer,
  { responseHeaders, responseStatus }: Pick<Outcome, 'responseHeaders' | 'responseStatus'>,
): Answer {
  if (responseHeaders === undefined && responseStatus === undefined) return answer;
  return {
    ...answer,
    status: parseResponseStatus(responseStatus) ?? answer.status,
    headers: overrideHeaders(answer.headers, parseResponseHeaders(responseHeaders)),
  };
}

/**
 * Adds the header Vary, which every response except an error has.
 * @param dependsOnOrigin whether CORS allows only some origins
 */
export function withVary(answer: Answer, dependsOnOrigin: boolean): Answer {
  const { headers } = answer;
  for (const [name] of headers) if (name === VARY[0]) return answer;
  return { ...answer, headers: [dependsOnOrigin ? VARY_AND_ORIGIN : VARY, ...headers] };
}

/**
 * Copies the trace header of the request to the response.
 * @param name the setting `server-trace-header`
 */
export function withTraceHeader(
  answer: Answer,
  name: string | undefined,
  http: Pick<DataRequest, 'headers'>,
): Answer {
  const value = name === undefined ? undefined : headerOf(http, name);
  if (name === undefined || value === undefined) return answer;
  return { ...answer, headers: [...answer.headers, [name, value]] };
}
