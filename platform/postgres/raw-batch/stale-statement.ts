/** Handles errors which mean that a prepared statement is not in the state that this process expects. */
import type pg from 'pg';
import type { PreparedStatements } from './prepared.ts';
import type { SentStatement } from './write-parts.ts';

/** Removes a failed statement from the prepared ones if it is stale. Returns whether it may be sent again. */
export function removeStale(
  prepared: PreparedStatements,
  { code, routine }: pg.DatabaseError,
  sent: SentStatement | undefined,
): boolean {
  if (sent?.key === undefined) return false;
  // duplicate_prepared_statement: a function has run PREPARE. The next name is a different one.
  if (code === '42P05') return sent.parsed;
  // invalid_sql_statement_name: a function has run DEALLOCATE, perhaps of all statements.
  if (code === '26000' && !sent.parsed) {
    prepared.clear();
    return true;
  }
  // feature_not_supported: "cached plan must not change result type". The routine does not depend on the server's language.
  if (code !== '0A000' || routine !== 'RevalidateCachedQuery') return false;
  prepared.remove(sent.key);
  return !sent.parsed;
}
