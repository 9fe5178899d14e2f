/** A change together with its entry in the audit log: both are written, or neither. */
import type { Database, Statement } from '@greenroom/postgres';

/** What is done, and what is said of it. */
interface NotedChange {
  /** Come first, e.g. because of the order in which rows are locked. */
  before?: readonly Statement[];
  /** Answers a row for what it has changed. */
  change: Statement;
  /** Come after: the audit log, and what is to be read. */
  after: readonly Statement[];
  /** Made where there was nothing to change. */
  missing: () => Error;
}

/**
 * Makes a change. Of parallel calls that would make the same one, one makes it and the others find nothing.
 * @returns what the statements after the change answered
 */
export function makeNotedChange(
  database: Database,
  { before = [], change, after, missing }: NotedChange,
): Promise<Record<string, unknown>[][]> {
  return database.transaction(async (tx) => {
    for (const statement of before) await tx.query(statement);
    const changed = await tx.query(change);
    if (changed.length === 0) throw missing();
    return tx.commit(after);
  });
}
