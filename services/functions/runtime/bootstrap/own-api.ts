/**
 * Lets a function call the API of its instance. The process may not connect to addresses of this machine, so that
 * requests to the origins of the instance go through a Unix socket that leads to it alone.
 */
import { deno } from './deno.ts';

/** Stands for the addresses of the instance, which are denied. It is never looked up. */
const STAND_IN = 'http://instance.invalid';

/** Replaces `fetch`. `origins` are those that mean the instance, e.g. `http://127.0.0.1:54321`. */
export function replaceFetch(origins: readonly string[], socket: string): void {
  const { fetch: originalFetch } = globalThis;
  const client = deno.createHttpClient({ proxy: { transport: 'unix', path: socket }, allowHost: true });
  const fetchFromInstance = (input: RequestInfo | URL, init?: RequestInit) => {
    const url = input instanceof Request ? input.url : String(input);
    const { origin, host, href } = URL.canParse(url) ? new URL(url) : NOWHERE;
    if (!origins.includes(origin)) return originalFetch(input, init);
    const request = new Request(input, init);
    const moved = new Request(STAND_IN + href.slice(origin.length), request);
    moved.headers.set('host', host);
    return originalFetch(moved, { client } as RequestInit);
  };
  globalThis.fetch = fetchFromInstance;
}

const NOWHERE = { origin: 'null', host: '', href: '' };
