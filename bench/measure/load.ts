/** Load on one URL of this machine, limited in time. */
import autocannon from 'autocannon';

/** The measured rate and latencies. */
export interface Rate {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

/** Seconds of a load, without and with measuring. */
interface Duration {
  warmUp: number;
  measured: number;
}

const USUAL: Duration = { warmUp: 3, measured: 6 };
/** Number of connections of a load. */
export const CONNECTIONS = 16;

/**
 * Sends GET requests to `url` for a few seconds over 16 connections, after a warm-up; `[<id>]` in it becomes a text that
 * differs in each request. Throws if a response is not 2xx.
 */
export function measureGet(
  url: string,
  headers: Record<string, string> = {},
  duration = USUAL,
): Promise<Rate> {
  return measure({ url, headers, idReplacement: url.includes('[<id>]') }, duration);
}

/** Sends POST requests with a body of JSON, like {@link measureGet}. */
export function measurePost(url: string, body: unknown): Promise<Rate> {
  const headers = { 'content-type': 'application/json' };
  return measure({ url, headers, method: 'POST', body: JSON.stringify(body) });
}

async function measure(load: autocannon.Options, { warmUp, measured }: Duration = USUAL): Promise<Rate> {
  const options = { ...load, connections: CONNECTIONS };
  if (warmUp > 0) await autocannon({ ...options, duration: warmUp });
  const result = await autocannon({ ...options, duration: measured });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${load.url}: ${result.non2xx} responses were not 2xx, ${result.errors} requests failed`);
  }
  return { perSecond: result.requests.average, p50Ms: result.latency.p50, p99Ms: result.latency.p99 };
}
