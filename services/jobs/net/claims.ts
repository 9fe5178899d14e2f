/** The requests that a node has read from the queue, and whether the queue may have further ones. */
import { createHostLimits, type HostRoom } from './host-limits.ts';
import type { QueuedRequest } from './request.ts';

/** Requests in progress, or whose responses are not stored yet. */
interface Claims {
  size(): number;
  ids(): string[];
  add(request: Pick<QueuedRequest, 'id' | 'host'>): void;
  release(ids: readonly string[]): void;
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
    ids: () => [...hostOf.keys()],
    add({ id, host }) {
      hostOf.set(id, host);
      hosts.started(host);
    },
    release(ids) {
      for (const id of ids) {
        const host = hostOf.get(id);
        if (host === undefined) continue;
        hostOf.delete(id);
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
