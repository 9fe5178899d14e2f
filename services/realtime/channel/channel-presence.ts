/** The tracked presence of one channel, and the rate limit of its presence calls. */

import { metaJson, type Presence, type PresenceDiff } from '../presence/presence.ts';
import type { RealtimeConfig } from '../settings.ts';

/** Holds at most one presence: tracking again replaces it. */
export class ChannelPresence {
  readonly key: string;
  readonly #newRef: () => string;
  readonly #limit: RealtimeConfig['clientPresence'];
  #current: { presence: Presence; payload: string } | undefined;
  #window = { startedAt: Number.NEGATIVE_INFINITY, calls: 0 };

  constructor(key: string, newRef: () => string, limit: RealtimeConfig['clientPresence']) {
    this.key = key;
    this.#newRef = newRef;
    this.#limit = limit;
  }

  /** Counts a call. Returns false above the limit. @param nowMs milliseconds of a monotonic clock */
  isWithinLimit(nowMs: number): boolean {
    const { windowMs, maxEvents } = this.#limit;
    if (nowMs - this.#window.startedAt >= windowMs) this.#window = { startedAt: nowMs, calls: 0 };
    this.#window.calls += 1;
    return this.#window.calls <= maxEvents;
  }

  /** Replaces the presence. Returns the diff, or undefined if the payload has not changed. */
  track(payload: Record<string, unknown>): PresenceDiff | undefined {
    const text = JSON.stringify(payload);
    const previous = this.#current;
    if (previous?.payload === text) return undefined;
    const ref = this.#newRef();
    const presence = { key: this.key, ref, meta: metaJson(payload, ref, previous?.presence.ref) };
    this.#current = { presence, payload: text };
    return { joins: [presence], leaves: previous === undefined ? [] : [previous.presence] };
  }

  /** Removes the presence. Returns the diff, or undefined if none was tracked. */
  untrack(): PresenceDiff | undefined {
    const previous = this.#current;
    this.#current = undefined;
    return previous && { joins: [], leaves: [previous.presence] };
  }
}
