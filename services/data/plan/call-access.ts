/** Whether the transaction of a call is read only, its isolation and its settings. */
import type { Action } from '../request/method.ts';
import type { SqlFunction } from '../schema-cache/schema-cache.ts';

/** Where the function sets no isolation, that of the caller's role applies. */
export interface CallAccess {
  isReadOnly: boolean;
  isolation: SqlFunction['isolation'];
  functionSettings: SqlFunction['settings'];
}

/** Applied when the transaction begins; it has no effect in it. */
const ISOLATION = 'default_transaction_isolation';

/** A transaction is read only for a stable or immutable function, and for GET and HEAD. */
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
