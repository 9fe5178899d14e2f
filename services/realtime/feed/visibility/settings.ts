/** Statements that assume a role and claims for one transaction, as requests do, and restore the session afterwards. */
import type { Statement } from '@greenroom/postgres';
import type { Identity } from '../feed.ts';

/** Returns the first statement of a batch that runs with a role and claims. */
export function assumeIdentity({ role, claims }: Identity): Statement {
  return {
    // A generic plan does not consider the keys of the rows and would scan the whole table.
    text: `select pg_catalog.set_config('transaction_read_only', 'on', true),
      pg_catalog.set_config('plan_cache_mode', 'force_custom_plan', true),
      pg_catalog.set_config('role', $1, true), pg_catalog.set_config('request.jwt.claims', $2, true)`,
    values: [role, claims],
    name: 'become',
  };
}

/** Runs before a statement that takes longer to plan than to execute. */
export const PLAN_ONCE: Statement = {
  text: `select pg_catalog.set_config('plan_cache_mode', 'force_generic_plan', true)`,
  name: 'plan once',
};

/** Resets all settings but the role, because a function of a policy may have changed some, for the session or locally. */
export const RESET_SETTINGS: Statement = { text: 'reset all', name: 'reset all' };

/** The last statements of such a batch. */
export const RESTORE_SESSION: readonly Statement[] = [
  RESET_SETTINGS,
  { text: 'set role none', name: 'set role none' },
];
