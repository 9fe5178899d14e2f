/** Which status an answer has when all went well, and whether rows are told in it. */
import { failure } from '../errors.ts';
import type { Action } from '../request/method.ts';
import type { Preferences } from '../request/preferences.ts';
import type { Relation, SqlFunction } from '../schema-cache/schema-cache.ts';

/** The kinds of writes. */
export type WriteKind = Extract<Action, { kind: 'insert' | 'update' | 'put' | 'delete' }>['kind'];

/**
 * Of a write.
 * @param inserted how many rows were not there before; of upserts only
 */
export function writeStatus(
  kind: WriteKind,
  preferences: Pick<Preferences, 'return' | 'resolution'>,
  inserted: number | undefined,
): 200 | 201 | 204 {
  if (kind === 'insert') return preferences.resolution === 'merge-duplicates' && inserted === 0 ? 200 : 201;
  if (preferences.return !== 'representation') return 204;
  return kind === 'put' && inserted !== undefined && inserted > 0 ? 201 : 200;
}

/** Whether the answer of a write tells the rows. */
export function tellsRows(preferences: Pick<Preferences, 'return'>): boolean {
  return preferences.return === 'representation';
}

/** Whether a function returns nothing, so that there is nothing to be told. */
export function isVoid({ result: { shape } }: Pick<SqlFunction, 'result'>): boolean {
  return shape.kind === 'scalar' && shape.isVoid;
}

/**
 * Exactly one row is wanted: throws PGRST116 where there is another number of them. Older clients look for `0 rows` in the
 * details.
 */
export function requireSingleRow(rows: number): void {
  if (rows !== 1) throw failure('PGRST116', { extra: { details: `The result contains ${rows} rows` } });
}

/** Throws PGRST124 where more rows were changed than the client allows. */
export function requireMaxAffected(rows: number, maxAffected: number | undefined): void {
  if (maxAffected === undefined || rows <= maxAffected) return;
  throw failure('PGRST124', { extra: { details: `The query affects ${rows} rows` } });
}

/** What can be done with a relation: the header Allow. */
export function methodsOfRelation(relation: Relation): string {
  const { isInsertable, isUpdatable, isDeletable, primaryKey } = relation;
  return [
    'OPTIONS,GET,HEAD',
    ...(isInsertable ? ['POST'] : []),
    ...(isInsertable && isUpdatable && primaryKey.length > 0 ? ['PUT'] : []),
    ...(isUpdatable ? ['PATCH'] : []),
    ...(isDeletable ? ['DELETE'] : []),
  ].join(',');
}

/** What can be done with a function: one that writes cannot be called by a method that only reads. */
export function methodsOfFunction({ volatility }: Pick<SqlFunction, 'volatility'>): string {
  return volatility === 'volatile' ? 'OPTIONS,POST' : 'OPTIONS,GET,HEAD,POST';
}

/** What can be done with the document at the root. */
export const METHODS_OF_ROOT = 'OPTIONS,GET,HEAD';
