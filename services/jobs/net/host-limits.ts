/**
 * Divides the requests in progress between hosts, so that a slow one leaves room for the others. A host whose last attempt
 * ended without a response gets a small part.
 */

/** Part of all requests in progress that one host may have. */
const SHARE = 1 / 2;
const FAILING_SHARE = 1 / 10;
/** Failing hosts without a request in progress that are remembered. */
const MAX_REMEMBERED = 1000;

/** Number of further requests that may start. */
export interface HostRoom {
  /** Hosts without room. */
  full: readonly string[];
  /** Room of the hosts that have requests in progress, or are failing. */
  rooms: Readonly<Record<string, number>>;
  /** Room of all other hosts. */
  otherRoom: number;
}

/** Requests in progress by host. */
interface HostLimits {
  started(host: string): void;
  ended(host: string): void;
  /** Records whether the last attempt ended with a response. */
  report(host: string, hasResponse: boolean): void;
  room(): HostRoom;
}

/** Creates the limits. @param total maximum number of requests in progress */
export function createHostLimits(total: number): HostLimits {
  const limit = Math.max(1, Math.ceil(total * SHARE));
  const failingLimit = Math.max(1, Math.floor(total * FAILING_SHARE));
  const inProgress = new Map<string, number>();
  const failing = new Set<string>();

  const roomOf = (host: string) =>
    Math.max(0, (failing.has(host) ? failingLimit : limit) - (inProgress.get(host) ?? 0));

  return {
    started: (host) => void inProgress.set(host, (inProgress.get(host) ?? 0) + 1),
    ended(host) {
      const remaining = (inProgress.get(host) ?? 0) - 1;
      if (remaining > 0) inProgress.set(host, remaining);
      else inProgress.delete(host);
    },
    report(host, hasResponse) {
      failing.delete(host);
      if (hasResponse) return;
      failing.add(host);
      const [oldest] = failing;
      if (failing.size > MAX_REMEMBERED && oldest !== undefined) failing.delete(oldest);
    },
    room() {
      const rooms = Object.fromEntries(
        [...inProgress.keys(), ...failing].map((host) => [host, roomOf(host)]),
      );
      return {
        full: Object.keys(rooms).filter((host) => rooms[host] === 0),
        rooms,
        otherRoom: limit,
      };
    },
  };
}
