/** Finds words of a statement. */
import { tokensOf } from './tokens.ts';

/** Whether the SQL has the word outside of comments, strings and bodies of functions. @param word in lower case */
export function hasWord(sql: string, word: string): boolean {
  return tokensOf(sql).some(
    ({ kind, start, end }) => kind === 'word' && sql.slice(start, end).toLowerCase() === word,
  );
}
