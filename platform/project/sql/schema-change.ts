/** Recognizes statements that change the schema. */
import { hasWord } from './has-word.ts';
import type { SqlStatement } from './split.ts';

const FIRST_WORDS = new Set([
  'create',
  'alter',
  'drop',
  'comment',
  'grant',
  'revoke',
  'security',
  'import',
  'reassign',
  // Its block is not examined.
  'do',
]);
const TEMPORARY = new Set(['temp', 'temporary', 'local', 'global']);

/**
 * Whether a statement changes the schema, or may change it, as a `do` block. Temporary objects do not count. `select into` and functions
 * that change the schema are not recognized.
 */
export function mayChangeSchema({ words, text }: Pick<SqlStatement, 'words' | 'text'>): boolean {
  const [first = '', second = '', third, fourth = ''] = words;
  // It runs a `create table as`.
  if (first === 'explain') return hasWord(text, 'analyze') && hasWord(text, 'create');
  if (!FIRST_WORDS.has(first)) return false;
  if (first === 'alter') return second !== 'system';
  const kind = second === 'or' && third === 'replace' ? fourth : second;
  return first !== 'create' || !TEMPORARY.has(kind);
}
