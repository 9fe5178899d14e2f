/** How long the parts of a request took, for those who are allowed to know. */
import type { Header } from '../headers.ts';

/** The parts, in the order in which they are done. */
type TimedPart = 'jwt' | 'parse' | 'plan' | 'transaction' | 'response';

/** A stopwatch: each lap is what has happened since the one before. A part may have several. */
export class Timing {
  readonly #laps = new Map<TimedPart, number>();
  #last = performance.now();

  /** Ends a part. */
  lap(part: TimedPart): void {
    const now = performance.now();
    this.#laps.set(part, (this.#laps.get(part) ?? 0) + now - this.#last);
    this.#last = now;
  }

  /** Header Server-Timing (W3C Server Timing §4); durations are in milliseconds. */
  header(): Header {
    const parts = [...this.#laps].map(([part, ms]) => `${part};dur=${ms.toFixed(1)}`);
    return ['server-timing', parts.join(', ')];
  }
}
