/** The statements of a file that end its transaction. */
import { hasWord } from './has-word.ts';
import type { SqlStatement } from './split.ts';

const ENDING_WORDS: readonly string[] = ['commit', 'end', 'rollback', 'abort'];

/**
 * Whether work of the file was committed before the statement at `index`: it ends a transaction itself, or its first
 * statement runs only outside of transactions, e.g. `create index concurrently`. PostgreSQL accepts such a statement at
 * the beginning of a batch and commits it at once.
 */
export function hasCommittedBefore(statements: readonly SqlStatement[], index: number): boolean {
  return statements
    .slice(0, index)
    .some((statement, place) => endsTransaction(statement) || (place === 0 && commitsAtOnce(statement)));
}

/** Whether a statement begins or ends a transaction. Savepoints do not count. */
export function controlsTransaction(statement: SqlStatement): boolean {
  const [first = '', second] = statement.words;
  return endsTransaction(statement) || first === 'begin' || (first === 'start' && second === 'transaction');
}

function endsTransaction({ words }: SqlStatement): boolean {
  const [first = '', second] = words;
  return (
    (ENDING_WORDS.includes(first) && second !== 'to') || (first === 'prepare' && second === 'transaction')
  );
}

/** Whether a statement runs only outside of transactions: PostgreSQL's calls of `PreventInTransactionBlock`. */
export function commitsAtOnce(statement: SqlStatement): boolean {
  const [first = '', second = ''] = statement.words;
  if (
    ['create', 'drop', 'reindex', 'refresh', 'alter'].includes(first) &&
    hasWord(statement.text, 'concurrently')
  )
    return true;
  if (['create', 'drop', 'alter'].includes(first))
    return ['database', 'tablespace', 'system', 'subscription'].includes(second);
  return first === 'vacuum' || (first === 'reindex' && ['database', 'system', 'schema'].includes(second));
}
