/** The beginning of a statement as a list of names, strings and signs, to find out which object it is about. */
import { tokensOf } from '@greenroom/project/sql';

/** Enough for the object of a statement; values of long inserts are not read. */
const MAX_PARTS = 400;

/** A part of a statement. */
export interface StatementPart {
  kind: 'name' | 'string' | 'sign';
  /** A name without quotes, in lower case unless it was quoted; the content of a string. */
  text: string;
}

/** An object with its schema. */
export interface QualifiedName {
  schema: string;
  name: string;
}

/** Returns the first parts of a statement, without comments. */
export function partsOf(sql: string): StatementPart[] {
  const parts: StatementPart[] = [];
  for (const { kind, start, end } of tokensOf(sql)) {
    if (kind === 'space' || kind === 'comment') continue;
    if (parts.length === MAX_PARTS) break;
    parts.push(partOf(kind, sql.slice(start, end)));
  }
  return parts;
}

function partOf(kind: string, text: string): StatementPart {
  if (kind === 'word') return { kind: 'name', text: text.toLowerCase() };
  if (kind !== 'quoted') return { kind: 'sign', text };
  if (text.startsWith('"')) return { kind: 'name', text: text.slice(1, -1).replaceAll('""', '"') };
  return { kind: 'string', text: text.slice(1, -1).replaceAll("''", "'") };
}

/** Whether the statement begins with these words. */
export function beginsWith(parts: readonly StatementPart[], ...words: readonly string[]): boolean {
  return words.every((word, index) => parts[index]?.text === word);
}

/** Returns the first qualified name at or after an index. */
export function qualifiedNameFrom(parts: readonly StatementPart[], from = 0): QualifiedName | undefined {
  for (let index = from; index + 2 < parts.length; index++) {
    const [schema, dot, name] = parts.slice(index, index + 3);
    if (schema?.kind === 'name' && dot?.text === '.' && name?.kind === 'name')
      return { schema: schema.text, name: name.text };
  }
  return undefined;
}

/** Returns the name after a word, e.g. that of `schema`; undefined if the word does not occur. */
export function nameAfter(parts: readonly StatementPart[], word: string): string | undefined {
  const index = parts.findIndex(({ kind, text }) => kind === 'name' && text === word);
  if (index === -1) return undefined;
  const next = parts.slice(index + 1).find(({ text }) => !['if', 'not', 'exists'].includes(text));
  return next?.kind === 'name' ? next.text : undefined;
}
