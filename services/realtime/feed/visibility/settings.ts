/** Statements that assume a role and claims for one transaction, as a request does, and restore the session afterwards. */
import type { Statement } from '@greenroom/postgres';
import type { Identity } from '../feed.ts';

/** The first statement of a batch that runs with a role and claims. */
export function become({ role, claims }: Identity): Statement {
  return {
    // A generic plan, made without the keys of the rows, would read the whole table.
    text: `select pg_catalog.set_config('transaction_read_only', 'on', true),
      pg_catalog.set_config('plan_cache_mode', 'force_custom_plan', true),
      pg_catalog.set_config('role', $1, true), pg_catalog.set_config('request.jwt.claims', $2, true)`,
    values: [role, claims],
    name: 'become',
  };
}

/** Before a statement that takes longer to plan than to run. */
export const PLAN_ONCE: Statement = {
  text: `select pg_catalog.set_config('plan_cache_mode', 'force_generic_plan', true)`,
  name: 'plan once',
};

/** The last statements of such a batch: a function of a policy may have set something for the session. */
export const LEAVE: readonly Statement[] = [
  { text: 'reset all', name: 'reset all' },
  { text: 'set role none', name: 'set role none' },
];
