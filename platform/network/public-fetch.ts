/**
 * `fetch` for URLs that users of the API supply: connects to the public internet only. Callers import this module
 * lazily, because it loads undici.
 */
import { Agent, fetch } from 'undici';
import { lookupPublic, rejectPrivateHost } from './public-lookup.ts';

// This agent never opens connections to private addresses, so its pool has none to reuse.
const agent = new Agent({ connect: { lookup: lookupPublic } });

/** Fetches a URL. Rejects like `fetch`, and with `PrivateAddressError` for private addresses. */
export async function publicFetch(url: string, options: RequestInit): Promise<Response> {
  rejectPrivateHost(new URL(url));
  try {
    const init = { ...options, dispatcher: agent, redirect: 'manual' } as Parameters<typeof fetch>[1];
    return (await fetch(url, init)) as unknown as Response;
  } catch (error) {
    throw error instanceof TypeError && error.cause instanceof Error ? error.cause : error;
  }
}
