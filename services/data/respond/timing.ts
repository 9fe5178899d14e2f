/** Measures the stages of a request for the header Server-Timing. */
import type { Header } from '../headers.ts';

/** The stages in execution order. */
type TimedStage = 'jwt' | 'parse' | 'plan' | 'transaction' | 'response';

/** A stopwatch. Each lap measures the time since the previous lap; the laps of one stage are added up. */
export class Timing {
  readonly #laps = new Map<TimedStage, number>();
  #last = performance.now();

  /** Adds the time since the previous lap to a stage. */
  lap(stage: TimedStage): void {
    const now = performance.now();
    this.#laps.set(stage, (this.#laps.get(stage) ?? 0) + now - this.#last);
    this.#last = now;
  }

  /** Returns the header Server-Timing (W3C Server Timing §4). Durations are in milliseconds. */
  header(): Header {
    const metrics = [...this.#laps].map(([stage, ms]) => `${stage};dur=${ms.toFixed(1)}`);
    return ['server-timing', metrics.join(', ')];
  }
}
