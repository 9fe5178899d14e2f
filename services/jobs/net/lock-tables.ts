/**
 * Statements that write to several tables of pg_net. `drop extension` locks the tables in an order that depends on the catalog. A
 * statement that waits for one table while it holds another would be part of a deadlock, for which PostgreSQL may cancel
 * `drop extension`. So the tables are locked first, without waiting.
 */
import { failedStatementOf, type Statement } from '@greenroom/postgres';
import type { Query } from '../query.ts';

/** lock_not_available */
const LOCKED = '55P03';
const MAX_ATTEMPTS = 3;

/** Tables that a statement writes to. */
interface Tables {
  names: readonly string[];
  /** Expression of the sequence that the statement uses. */
  sequence?: string;
}

/** The tables are missing, or locked by others. `code` is the SQLSTATE. */
export class TablesUnavailableError extends Error {
  override readonly name = 'TablesUnavailableError';
  readonly code: string | undefined;

  constructor(cause: Error & { code?: string }) {
    super(cause.message, { cause });
    this.code = cause.code;
  }
}

/**
 * Runs a statement in a transaction that has locked its tables. Waits for tables that are locked, one at a time. Rejects with
 * {@link TablesUnavailableError} if a table cannot be locked.
 */
export async function withTables<Row>(
  query: Query,
  { names, sequence }: Tables,
  statement: Statement,
): Promise<Row[]> {
  const locks = [
    // Sequences cannot be locked explicitly. This may wait, because the transaction holds no other lock yet.
    ...(sequence === undefined ? [] : [`select nextval(${sequence})`]),
    `${lockText(names)} nowait`,
  ];
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await withLocks<Row>(query, locks, [statement]);
    } catch (error) {
      const isLocked = error instanceof TablesUnavailableError && error.code === LOCKED;
      if (!isLocked || attempt === MAX_ATTEMPTS) throw error;
    }
    for (const name of names) await withLocks(query, [lockText([name])], []);
  }
}

function lockText(names: readonly string[]): string {
  return `lock table ${names.join(', ')} in row exclusive mode`;
}

async function withLocks<Row>(
  query: Query,
  locks: readonly string[],
  statements: readonly Statement[],
): Promise<Row[]> {
  try {
    return await query.transaction<Row>([...locks.map((text) => ({ text })), ...statements]);
  } catch (error) {
    // The first statement begins the transaction.
    const failed = failedStatementOf(error as Error) ?? 0;
    throw failed > 0 && failed <= locks.length ? new TablesUnavailableError(error as Error) : error;
  }
}
