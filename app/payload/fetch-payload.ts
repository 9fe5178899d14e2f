/** Asks for one payload. */
import type { PageConfig } from '../request/page-config.ts';
import { markOutdated } from '../updates/outdated.ts';
import type { Payload } from './payload.ts';
import { payloadPath } from './payload-path.ts';

/** A payload, and whether it is that of another page to which the answer led. */
export interface FetchedPayload {
  payload: Payload;
  isRedirected: boolean;
}

/**
 * Rejects where there is no payload: an error has none, nor has what lies outside of the app. A page that only says
 * "not you" has one, whatever its status.
 */
export async function fetchPayload(page: string, config: PageConfig): Promise<FetchedPayload> {
  const answer = await fetch(payloadPath(page, config));
  const payload: unknown = await answer.json();
  if (!isPayload(payload)) throw new Error(`no payload: ${answer.status} ${page}`);
  if (payload.buildId !== config.buildId) markOutdated();
  return { payload, isRedirected: answer.redirected };
}

function isPayload(value: unknown): value is Payload {
  return typeof value === 'object' && value !== null && 'serverRendered' in value;
}
