/** The requests that a node has read from the queue, and whether the queue may have further ones. */
import { createHostLimits, type HostRoom } from './host-limits.ts';
import type { QueuedRequest } from './request.ts';

/** Requests in progress, or whose responses are not stored yet. */
interface Claims {
  size(): number;
  keys(): string[];
  add(request: Pick<QueuedRequest, 'key' | 'host'>): void;
  release(keys: readonly string[]): void;
  /** Records whether the last attempt of a host ended with a response. */
  report(host: string, hasResponse: boolean): void;
  /** Requests that may start, by host. */
  room(): HostRoom;
  /** Whether the queue may have requests that are not claimed, and can start. */
  mayHaveMore(): boolean;
  /** Called when the queue may have further requests. */
  expectMore(): void;
  /** Called before the queue is read, so that a notification that arrives meanwhile counts. */
  beginRead(room: HostRoom): void;
}

/** Creates claims. @param total maximum number of requests in progress */
export function createClaims(total: number): Claims {
  const hosts = createHostLimits(total);
  const hostOf = new Map<string, string>();
  let hasMore = true;
  /** Whether the last statement did not return requests, because their hosts had no room. */
  let skipsHosts = false;
  return {
    size: () => hostOf.size,
    keys: () => [...hostOf.keys()],
    add({ key, host }) {
      hostOf.set(key, host);
      hosts.started(host);
    },
    release(keys) {
      for (const key of keys) {
        const host = hostOf.get(key);
        if (host === undefined) continue;
        hostOf.delete(key);
        hosts.ended(host);
        if (skipsHosts) hasMore = true;
      }
    },
    report: hosts.report,
    room: hosts.room,
    mayHaveMore: () => hasMore,
    expectMore() {
      hasMore = true;
    },
    beginRead(room) {
      hasMore = false;
      skipsHosts = room.full.length > 0;
    },
  };
}
