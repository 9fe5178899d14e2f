/** The common interface of HTTP hooks and database functions. */
import type { Transaction } from '@greenroom/postgres';

/** Maximum bytes of a payload and of an output. GoTrue has the same limit, but only for outputs. */
export const SIZE_LIMIT = 200 * 1024;

/** Calls one hook. */
export interface HookTransport {
  /**
   * Sends JSON and returns the output as text, or undefined if there is none. Within a transaction, database functions
   * see its writes. Throws errors of the catalogue.
   */
  send(payload: string, tx?: Transaction): Promise<string | undefined>;
}
