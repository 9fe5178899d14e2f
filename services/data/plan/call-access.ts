/** What the transaction of a call may do, and which settings it has. */
import type { Action } from '../request/method.ts';
import type { SqlFunction } from '../schema-cache/schema-cache.ts';

/** As a request is run with; what the function does not say, the caller's role may. */
export interface CallAccess {
  isReadOnly: boolean;
  isolation: SqlFunction['isolation'];
  functionSettings: SqlFunction['settings'];
}

/** Is known when a transaction begins, and is of no use in it. */
const ISOLATION = 'default_transaction_isolation';

/** A function that PostgreSQL is told to change nothing may not; nor may any function that is called by GET or HEAD. */
export function callAccess(
  { volatility, isolation, settings }: SqlFunction,
  method: Extract<Action, { kind: 'call' }>['method'],
): CallAccess {
  return {
    isReadOnly: method !== 'POST' || volatility !== 'volatile',
    isolation,
    functionSettings: settings.filter(([name]) => name !== ISOLATION),
  };
}
