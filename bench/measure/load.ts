/** Load on one URL of this machine, bounded in time. */
import autocannon from 'autocannon';

/** What was reached. */
export interface Rate {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

const WARM_UP_SECONDS = 3;
const MEASURED_SECONDS = 6;
const CONNECTIONS = 16;

/** GETs `url` for a few seconds over 16 connections, after a warm-up. Throws if an answer is not 2xx. */
export async function measureGet(url: string, headers: Record<string, string> = {}): Promise<Rate> {
  await autocannon({ url, headers, connections: CONNECTIONS, duration: WARM_UP_SECONDS });
  const result = await autocannon({ url, headers, connections: CONNECTIONS, duration: MEASURED_SECONDS });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${url}: ${result.non2xx} answers were not 2xx, ${result.errors} requests failed`);
  }
  return { perSecond: result.requests.average, p50Ms: result.latency.p50, p99Ms: result.latency.p99 };
}

/** Calls `once` from `concurrency` loops for a few seconds, after a warm-up. `once` gets the loop's number. */
export async function measureCalls(
  concurrency: number,
  once: (loop: number) => Promise<unknown>,
): Promise<Rate> {
  await callFor(WARM_UP_SECONDS, concurrency, once);
  const latencies = await callFor(MEASURED_SECONDS, concurrency, once);
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0;
  return { perSecond: latencies.length / MEASURED_SECONDS, p50Ms: at(0.5), p99Ms: at(0.99) };
}

async function callFor(
  seconds: number,
  concurrency: number,
  once: (loop: number) => Promise<unknown>,
): Promise<number[]> {
  const latencies: number[] = [];
  const end = performance.now() + seconds * 1000;
  const loop = async (number: number) => {
    while (performance.now() < end) {
      const started = performance.now();
      await once(number);
      latencies.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, (_, number) => loop(number)));
  return latencies;
}
