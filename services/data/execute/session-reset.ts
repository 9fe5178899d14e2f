/**
 * Prevents requests from leaking settings into later requests on the same connection: a function may change settings of the
 * session (`set_config(…, false)`, `SET`). Each request sets its own role and search path; a reset restores all other
 * settings before the next request.
 */
import type { RawClient, RawStatement } from '@greenroom/postgres';

const RESET_ALL: RawStatement = { text: 'reset all' };

/** The number of requests since the last reset that may have changed settings, by connection. */
const unresetRequests = new WeakMap<RawClient, number>();

/** The reset before one request. */
export interface SessionReset {
  /** The request sends them before its own statements. */
  statements: readonly RawStatement[];
  /** Call this when the request is committed. */
  done(): void;
}

const NOT_NEEDED: SessionReset = { statements: [], done() {} };

/**
 * Call this for each request that is sent; several requests may be sent before the first response. PostgreSQL reports
 * changes of some settings. For all others, a reset after each request that may have changed them is cheaper than a
 * check.
 * @param mayLeaveSettings whether the request may run functions of the database
 */
export function resetSession(client: RawClient, mayLeaveSettings: boolean): SessionReset {
  const known = unresetRequests.get(client) ?? 0;
  const now = mayLeaveSettings ? known + 1 : known;
  if (mayLeaveSettings) unresetRequests.set(client, now);
  if (known === 0 && !client.hasChangedSettings) return NOT_NEEDED;
  return {
    statements: [RESET_ALL],
    done() {
      // The connection stays suspect if this request, or one sent after it, may have changed settings.
      if (!mayLeaveSettings && unresetRequests.get(client) === now) unresetRequests.delete(client);
    },
  };
}
