/** The SQL that finds relations by parts of their names, while an administrator types. */
import { likeText } from '../shared/like-text.ts';
import { KINDS, OWN_RELATIONS } from './catalog-sql.ts';
import type { RelationKind } from './table-model.ts';

/** A relation that was found. */
export interface FoundRelation {
  schema: string;
  name: string;
  kind: RelationKind;
}

const MAX_WORDS = 8;

/**
 * Returns the SQL of up to `limit` relations whose `schema.name` contains each word of a text: first the one with this name, then those
 * that begin with it, then those of the schema `public`.
 */
export function relationSql(q: string, limit: number): { text: string; values: string[] } {
  const text = q.trim();
  const words = text.split(/\s+/).slice(0, MAX_WORDS);
  const conditions = words.map((_, index) => `n.nspname || '.' || c.relname ilike $${index + 2}`);
  return {
    text: `select n.nspname as schema, c.relname as name, ${KINDS} as kind
from ${OWN_RELATIONS} and ${conditions.join(' and ')}
order by lower(c.relname) <> lower($1::text), not starts_with(lower(c.relname), lower($1::text)),
  n.nspname <> 'public', n.nspname, c.relname limit ${limit}`,
    values: [text, ...words.map((word) => `%${likeText(word)}%`)],
  };
}
