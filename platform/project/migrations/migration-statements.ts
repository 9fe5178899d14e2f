/** The statements of a new migration. */
import { type SqlStatement, splitStatements } from '../sql/split.ts';
import { SqlTextError } from '../sql/tokens.ts';
import { commitsAtOnce, controlsTransaction } from '../sql/transactions.ts';
import { MigrationRefused } from './migration-errors.ts';

/** Throws {@link MigrationRefused} for SQL that cannot be one transaction, or one statement outside of transactions. */
export function readStatements(sql: string): SqlStatement[] {
  const statements = split(sql).filter(({ text, codeOffset }) => codeOffset < text.length);
  if (statements.length === 0) throw new MigrationRefused('statement', 'The SQL contains no statement.');
  for (const statement of statements) {
    const words = statement.words.slice(0, 2).join(' ');
    if (statement.rows !== undefined)
      throw new MigrationRefused(
        'statement',
        'copy … from stdin is not possible here. Import the rows as CSV.',
      );
    if (controlsTransaction(statement))
      throw new MigrationRefused(
        'statement',
        `"${words}" is not possible here: the statements are one transaction. Remove it.`,
      );
    if (statements.length > 1 && commitsAtOnce(statement))
      throw new MigrationRefused(
        'statement',
        `"${words}" cannot run in a transaction with other statements. Run it alone.`,
      );
  }
  return statements;
}

function split(sql: string): SqlStatement[] {
  try {
    return splitStatements(sql);
  } catch (error) {
    if (!(error instanceof SqlTextError)) throw error;
    throw new MigrationRefused('statement', error.message);
  }
}
