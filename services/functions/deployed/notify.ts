/** Notifications between nodes about deployed functions and secrets. */
import type { Statement } from '@greenroom/postgres';

/** The channel of all notifications. */
export const CHANNEL = 'greenroom_functions';

/** The objects that have changed: the served versions of functions, or secrets. */
export type DeployedChange = 'functions' | 'secrets';

/** Returns the statement that notifies all nodes when its transaction has committed. */
export function notifyStatement(change: DeployedChange): Statement {
  return { text: 'select pg_catalog.pg_notify($1, $2)', values: [CHANNEL, change] };
}
