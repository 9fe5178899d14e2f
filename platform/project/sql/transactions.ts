/** The statements of a file that end its transaction. */
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

function endsTransaction({ words }: SqlStatement): boolean {
  const [first = '', second] = words;
  return (
    (ENDING_WORDS.includes(first) && second !== 'to') || (first === 'prepare' && second === 'transaction')
  );
}

/** PostgreSQL's calls of `PreventInTransactionBlock`. */
function commitsAtOnce({ text, words }: SqlStatement): boolean {
  const [first = '', second = ''] = words;
  if (['create', 'drop', 'reindex', 'refresh', 'alter'].includes(first) && /\bconcurrently\b/i.test(text))
    return true;
  if (['create', 'drop', 'alter'].includes(first))
    return ['database', 'tablespace', 'system', 'subscription'].includes(second);
  return first === 'vacuum' || (first === 'reindex' && ['database', 'system', 'schema'].includes(second));
}
