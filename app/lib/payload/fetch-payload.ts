/** Asks for one payload. */

import { createFetch, type FetchedResponse } from '../fetch/create-fetch.ts';
import { FetchError } from '../fetch/fetch-error.ts';
import { markOutdated } from '../modules/outdated.ts';
import type { PageConfig } from '../page/page-config.ts';
import type { Payload } from './payload.ts';
import { payloadPath } from './payload-path.ts';

/** A payload, and whether it is that of another page to which the answer led. */
export interface FetchedPayload {
  payload: Payload;
  isRedirected: boolean;
}

const send = createFetch({ baseURL: '/' });

/** Rejects where there is no payload, e.g. outside of the app. Pages that fail have one too, whatever their status. */
export async function fetchPayload(
  page: string,
  config: PageConfig,
  { isAhead = false } = {},
): Promise<FetchedPayload> {
  // The server must not take a link that somebody points at for the place where they want to go.
  const options = isAhead ? { headers: { purpose: 'prefetch' } } : {};
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
