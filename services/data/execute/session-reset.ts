/**
 * What a request leaves in its session although it must not: a function may change settings for longer than the
 * transaction (`set_config(…, false)`, `SET`). The role and the search path never reach the next request, which sets its
 * own; everything else is reset before it.
 */
import type { RawClient, RawStatement } from '@greenroom/postgres';

const RESET_ALL: RawStatement = { text: 'reset all' };

/** Connections on which functions may have run since the last reset, and how many requests with such have been written. */
const suspects = new WeakMap<RawClient, number>();

/** What has to be done about the session for one request. */
export interface SessionReset {
  /** Must come first. */
  statements: readonly RawStatement[];
  /** To be called when the request is committed. */
  done(): void;
}

const NOT_NEEDED: SessionReset = { statements: [], done() {} };

/**
 * To be called whenever a request is written; several may be, before the first is answered. Settings that PostgreSQL
 * reports tell by themselves that they have changed; for all others it costs less to reset them after a request that may
 * have changed them than to look.
 * @param mayLeaveSettings whether the request may run functions of the database
 */
export function resetSession(client: RawClient, mayLeaveSettings: boolean): SessionReset {
  const known = suspects.get(client) ?? 0;
  const now = mayLeaveSettings ? known + 1 : known;
  if (mayLeaveSettings) suspects.set(client, now);
  if (known === 0 && !client.hasChangedSettings) return NOT_NEEDED;
  return {
    statements: [RESET_ALL],
    done() {
      // Whatever has been written behind it, or is a part of it, may have left something since.
      if (!mayLeaveSettings && suspects.get(client) === now) suspects.delete(client);
    },
  };
}
