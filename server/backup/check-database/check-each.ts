/** Runs checks of many relations in few statements. */
import type { Session, Statement } from '@greenroom/postgres';
import pg from 'pg';

/** A relation, e.g. a table or an index. */
export interface Relation {
  oid: string;
  /** Quoted, with its schema. */
  name: string;
}

/** Relations of one statement. */
const GROUP = 100;

/**
 * Runs the statement for groups of relations, and returns the rows of all groups. If it fails for a group, it runs for each
 * relation of it alone, and its errors are reported. Rejects if the connection is lost.
 * @param session in a transaction
 */
export async function checkEach<Checked extends Relation>(
  session: Session,
  relations: readonly Checked[],
  report: (relation: Checked, error: pg.DatabaseError) => void,
  statementOf: (group: readonly Checked[]) => Statement,
): Promise<Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = [];
  const run = async (group: readonly Checked[]) => {
    const [, rows = []] = await session.batch([
      { text: 'savepoint one' },
      statementOf(group),
      { text: 'release savepoint one' },
    ]);
    found.push(...rows);
  };
  /** Rejects with any other error than those of PostgreSQL. */
  const undo = async (error: unknown): Promise<pg.DatabaseError> => {
    if (!(error instanceof pg.DatabaseError)) throw error;
    await session.batch([{ text: 'rollback to savepoint one' }]);
    return error;
  };
  for (let start = 0; start < relations.length; start += GROUP) {
    const group = relations.slice(start, start + GROUP);
    const failure = await run(group).then(() => undefined, undo);
    if (failure === undefined) continue;
    for (const relation of group)
      await run([relation]).catch(async (error) => report(relation, await undo(error)));
  }
  return found;
}
