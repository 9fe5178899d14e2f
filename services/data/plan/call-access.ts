/** The properties of the transaction of a call: read-only mode, isolation and settings. */
import type { Action } from '../request/method.ts';
import type { SqlFunction } from '../schema-cache/schema-cache.ts';

/** The properties of the transaction of a call. */
export interface CallAccess {
  isReadOnly: boolean;
  /** Undefined means the isolation of the caller's role. */
  isolation: SqlFunction['isolation'];
  functionSettings: SqlFunction['settings'];
}

/** This setting must be applied by BEGIN. It has no effect within the transaction. */
const ISOLATION = 'default_transaction_isolation';

/** Returns the properties. The transaction is read-only for a stable or immutable function, and for GET and HEAD. */
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
