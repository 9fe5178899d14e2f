/** The answer to a request, and what all answers have in common. */
import type { LargeBody, Outcome } from '../execute/outcome.ts';
import type { Header } from '../headers.ts';
import { overrideHeaders, parseResponseHeaders, parseResponseStatus, VARY } from './headers.ts';

const VARY_AND_ORIGIN: Header = [VARY[0], `${VARY[1]}, Origin`];

/** What goes over the wire. */
export interface Answer {
  status: number;
  /** The reason phrase, where a function said one. */
  statusText?: string | undefined;
  headers: readonly Header[];
  body: Buffer | string | LargeBody | undefined;
}

/**
 * The answer with what functions wanted to have in it.
 * @throws PGRST111, PGRST112
 */
export function withFunctionsWishes(
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
 * The answer with what every answer that is no error says: what it depends on.
 * @param dependsOnOrigin whether only some sites are let in
 */
export function withVary(answer: Answer, dependsOnOrigin: boolean): Answer {
  const { headers } = answer;
  for (const [name] of headers) if (name === VARY[0]) return answer;
  return { ...answer, headers: [dependsOnOrigin ? VARY_AND_ORIGIN : VARY, ...headers] };
}
