/** A request that fails on purpose, for the tasks that follow an error. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Desk } from './desk.ts';

const ATTEMPTS = 50;
const PATH = '/rest/v1/rpc/fail_always';

/** Line of the log of such a request. */
export const FAILED_LINE = `POST ${PATH}`;

/** Calls the function that {@link ./fill.ts} creates, which fails with 503. Returns the id of the request. */
export async function failRequest({ site, api }: Desk): Promise<string> {
  const headers = { apikey: api.keys.SERVICE_ROLE_KEY ?? '' };
  // The schema cache may load the new function later.
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const response = await fetch(site.url + PATH, { method: 'POST', headers });
    await response.text();
    if (response.status === 503) return response.headers.get('x-request-id') ?? '';
    await sleep(200);
  }
  throw new Error(`${PATH} does not fail with 503`);
}
