/** Makes a change and writes its audit entry in one transaction. */
import type { Database, Statement } from '@greenroom/postgres';

/** A change and the statements around it. */
interface AuditedChange {
  /** Statements that run before the change, e.g. to keep the lock order. */
  before?: readonly Statement[];
  /** The change. Returns a row if it changed something. */
  change: Statement;
  /** Statements that run after the change: audit entries, and reads of the new state. */
  after: readonly Statement[];
  /** Creates the error to throw if the change affected no row. */
  missing: () => Error;
}

/**
 * Makes a change. If several requests make the same change concurrently, one succeeds and the others throw `missing()`.
 * @returns the results of the statements in `after`
 */
export function createAuditedChange(
  database: Database,
  { before = [], change, after, missing }: AuditedChange,
): Promise<Record<string, unknown>[][]> {
  return database.transaction(async (tx) => {
    for (const statement of before) await tx.query(statement);
    const changed = await tx.query(change);
    if (changed.length === 0) throw missing();
    return tx.commit(after);
  });
}
