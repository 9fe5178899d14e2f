/** `fetch` for URLs that users of the API have given: connects to the public internet only. Loaded when first needed. */
import { Agent, fetch } from 'undici';
import { lookupPublic, rejectPrivateHost } from './public-lookup.ts';

// Connections that lead to private addresses cannot be reused here, because this agent never opens one.
const agent = new Agent({ connect: { lookup: lookupPublic } });

/** Fetches a URL. Rejects as `fetch` does, and with `PrivateAddressError` for private addresses. */
export async function publicFetch(url: string, options: RequestInit): Promise<Response> {
  rejectPrivateHost(new URL(url));
  try {
    const init = { ...options, dispatcher: agent, redirect: 'manual' } as Parameters<typeof fetch>[1];
    return (await fetch(url, init)) as unknown as Response;
  } catch (error) {
    throw error instanceof TypeError && error.cause instanceof Error ? error.cause : error;
  }
}
