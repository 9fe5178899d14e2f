/** How a hook is asked, whatever it is. */
import type { Transaction } from '@greenroom/postgres';

/** Of a question, and of its answer, in bytes: GoTrue's, which has it for answers only. */
export const SIZE_LIMIT = 200 * 1024;

/** A way to ask. */
export interface HookTransport {
  /**
   * Sends JSON and gives the text of the answer, or undefined where there is none. In a transaction, functions of the
   * database see what it has written. Throws errors of the catalogue.
   */
  ask(question: string, tx?: Transaction): Promise<string | undefined>;
}
