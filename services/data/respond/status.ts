/** The status of a successful answer, and whether it contains rows. */
import type { WriteKind } from '../request/method.ts';
import type { Preferences } from '../request/preferences.ts';
import type { SqlFunction } from '../schema-cache/schema-cache.ts';

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

/** Whether the answer of a write contains the rows. */
export function returnsRows(preferences: Pick<Preferences, 'return'>): boolean {
  return preferences.return === 'representation';
}

/** Whether a function returns `void`, so that the answer has no body. */
export function isVoid({ result: { shape } }: Pick<SqlFunction, 'result'>): boolean {
  return shape.kind === 'scalar' && shape.isVoid;
}
