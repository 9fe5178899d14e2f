/**
 * Records how long a hook usually takes. Some hooks are only called for existing accounts. For other requests the
 * service waits as long, so that the duration does not reveal accounts.
 */
import { randomInt } from 'node:crypto';

const MAX_SAMPLES = 32;

/** The latest durations of a hook, in milliseconds. */
interface LatencySamples {
  record(ms: number): void;
  /** A random one of the latest durations; 0 if there are none. */
  sample(): number;
}

export function createLatencySamples(): LatencySamples {
  const latest: number[] = [];
  return {
    record(ms) {
      latest.push(ms);
      if (latest.length > MAX_SAMPLES) latest.shift();
    },
    sample: () => (latest.length === 0 ? 0 : (latest[randomInt(latest.length)] ?? 0)),
  };
}
