/** Fetches one payload. */

import { createFetch, type FetchedResponse } from '../fetch/create-fetch.ts';
import { FetchError } from '../fetch/fetch-error.ts';
import { markOutdated } from '../modules/outdated.ts';
import type { PageConfig } from '../page/page-config.ts';
import type { Payload } from './payload.ts';
import { payloadPath } from './payload-path.ts';

/** A payload, and whether it belongs to another page because of a redirect. */
export interface FetchedPayload {
  payload: Payload;
  isRedirected: boolean;
}

const send = createFetch({ baseURL: '/' });

/**
 * Rejects if the response has no payload, e.g. outside of the app. Error pages of any status have a payload.
 */
export async function fetchPayload(
  page: string,
  config: PageConfig,
  { isPrefetch = false } = {},
): Promise<FetchedPayload> {
  // The server must not save a prefetched link as the path that the visitor wants to visit.
  const options = isPrefetch ? { headers: { purpose: 'prefetch' } } : {};
  const { response, data } = await send.raw(payloadPath(page, config), options).catch(pageWithStatus);
  if (!isPayload(data)) throw new Error(`No payload at ${page}`);
  if (data.buildId !== config.buildId) markOutdated();
  return { payload: data, isRedirected: response.redirected };
}

function pageWithStatus(error: unknown): FetchedResponse<unknown> {
  if (!(error instanceof FetchError) || !error.response) throw error;
  const { response, data } = error;
  const isInside = typeof data === 'object' && data !== null && 'payload' in data;
  return { response, data: isInside ? data.payload : data };
}

function isPayload(value: unknown): value is Payload {
  return typeof value === 'object' && value !== null && 'serverRendered' in value;
}
