/** The status of a successful response, and whether it has a body. */
import type { WriteKind } from '../request/method.ts';
import type { Preferences } from '../request/preferences.ts';
import type { SqlFunction } from '../schema-cache/schema-cache.ts';

/**
 * Returns the status of a write.
 * @param inserted number of rows that did not exist before; only for upserts
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

/** Whether the response to a write contains the rows. */
export function returnsRows(preferences: Pick<Preferences, 'return'>): boolean {
  return preferences.return === 'representation';
}

/** Whether a function returns `void`, so that the response has no body. */
export function isVoid({ result: { shape } }: Pick<SqlFunction, 'result'>): boolean {
  return shape.kind === 'scalar' && shape.isVoid;
}
