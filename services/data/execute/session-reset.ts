/**
 * What a request leaves in its session although it must not: a function may change settings for longer than the
 * transaction (`set_config(…, false)`, `SET`). The role and the search path never reach the next request, which sets its
 * own; everything else is reset before it.
 */
import type { RawClient, RawStatement } from '@greenroom/postgres';

const RESET_ALL: RawStatement = { text: 'reset all' };

/** Connections on which a function may have run since the last reset. */
const suspects = new WeakSet<RawClient>();

/**
 * The statements that must come first on a connection. Settings that PostgreSQL reports tell by themselves that they have
 * changed; for all others it costs less to reset them after a request that may have changed them than to look.
 */
export function resetStatements(client: RawClient): readonly RawStatement[] {
  return suspects.has(client) || client.hasChangedSettings ? [RESET_ALL] : [];
}

/**
 * To be called after each request.
 * @param mayLeaveSettings whether the request may have run functions that anybody wrote
 * @param hasReset whether the request began with a reset, and was not rolled back, which would have undone it
 */
export function noteRequest(client: RawClient, mayLeaveSettings: boolean, hasReset: boolean): void {
  if (mayLeaveSettings) suspects.add(client);
  else if (hasReset) suspects.delete(client);
}
