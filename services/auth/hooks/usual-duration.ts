/**
 * How long a hook usually takes. Where it is asked only about people who have an account, whoever asks about somebody
 * else waits as long, or the time would tell.
 */
import { randomInt } from 'node:crypto';

const KEPT = 32;

/** The latest durations of a hook, in milliseconds. */
interface UsualDuration {
  note(ms: number): void;
  /** One of the latest, by chance; 0 where there is none. */
  sample(): number;
}

/** Creates one that knows of none. */
export function createUsualDuration(): UsualDuration {
  const latest: number[] = [];
  return {
    note(ms) {
      latest.push(ms);
      if (latest.length > KEPT) latest.shift();
    },
    sample: () => (latest.length === 0 ? 0 : (latest[randomInt(latest.length)] ?? 0)),
  };
}
