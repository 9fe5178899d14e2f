/** Load on one URL of this machine, limited in time. */
import autocannon from 'autocannon';

/** The measured rate and latencies. */
export interface Rate {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

const WARM_UP_SECONDS = 3;
const MEASURED_SECONDS = 6;
/** Number of connections of a load. */
export const CONNECTIONS = 16;

/**
 * Sends GET requests to `url` for a few seconds over 16 connections, after a warm-up; `[<id>]` in it becomes a text that
 * differs in each request. Throws if a response is not 2xx.
 */
export function measureGet(url: string, headers: Record<string, string> = {}): Promise<Rate> {
  return measure({ url, headers, idReplacement: url.includes('[<id>]') });
}

/** Sends POST requests with a body of JSON, like {@link measureGet}. */
export function measurePost(url: string, body: unknown): Promise<Rate> {
  const headers = { 'content-type': 'application/json' };
  return measure({ url, headers, method: 'POST', body: JSON.stringify(body) });
}

async function measure(load: autocannon.Options): Promise<Rate> {
  const options = { ...load, connections: CONNECTIONS };
  await autocannon({ ...options, duration: WARM_UP_SECONDS });
  const result = await autocannon({ ...options, duration: MEASURED_SECONDS });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${load.url}: ${result.non2xx} responses were not 2xx, ${result.errors} requests failed`);
  }
  return { perSecond: result.requests.average, p50Ms: result.latency.p50, p99Ms: result.latency.p99 };
}
