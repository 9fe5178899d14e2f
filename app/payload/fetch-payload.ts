/** Asks for one payload. */
import { createFetch, type FetchedResponse } from '../fetch/create-fetch.ts';
import { FetchError } from '../fetch/fetch-error.ts';
import type { PageConfig } from '../request/page-config.ts';
import { markOutdated } from '../updates/outdated.ts';
import type { Payload } from './payload.ts';
import { payloadPath } from './payload-path.ts';

/** A payload, and whether it is that of another page to which the answer led. */
export interface FetchedPayload {
  payload: Payload;
  isRedirected: boolean;
}

const send = createFetch({ baseURL: '/' });

/**
 * Rejects where there is no payload: an error has none, nor has what lies outside of the app. A page that only says
 * "not you" has one, whatever its status.
 */
export async function fetchPayload(page: string, config: PageConfig): Promise<FetchedPayload> {
  const { response, data } = await send.raw(payloadPath(page, config)).catch(pageWithStatus);
  if (!isPayload(data)) throw new Error(`No payload at ${page}`);
  if (data.buildId !== config.buildId) markOutdated();
  return { payload: data, isRedirected: response.redirected };
}

function pageWithStatus(error: unknown): FetchedResponse<unknown> {
  if (error instanceof FetchError && error.response && isPayload(error.data)) {
    return { response: error.response, data: error.data };
  }
  throw error;
}

function isPayload(value: unknown): value is Payload {
  return typeof value === 'object' && value !== null && 'serverRendered' in value;
}
