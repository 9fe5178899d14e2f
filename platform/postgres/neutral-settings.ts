import type { Statement } from './batch.ts';

/**
 * Statements for the begin of a transaction that takes long and must be complete: without the limits and the row security that a
 * project may have set for its database or its roles.
 */
export const NEUTRAL_SETTINGS: readonly Statement[] = [
  'statement_timeout = 0',
  'lock_timeout = 0',
  'idle_in_transaction_session_timeout = 0',
  // A policy that hides rows is then an error.
  'row_security = off',
].map((setting) => ({ text: `set local ${setting}` }));
