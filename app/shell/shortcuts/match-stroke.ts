/** Matches strokes to shortcuts of one stroke or of a sequence. Pure: the caller passes the time. */

/** Strokes of a sequence must follow each other within this many milliseconds. */
export const SEQUENCE_MS = 1000;

/** The beginning of a sequence. */
export interface Pending {
  keys: string;
  /** Time of expiry, in milliseconds of the strokes' clock. */
  until: number;
}

/** The result of a stroke. */
interface StrokeResult<S> {
  matched?: S;
  pending?: Pending;
}

/**
 * `pending` is the result of the previous stroke. A stroke that does not continue a sequence may begin
 * another.
 * @example matchStroke([{ keys: 'g h' }], 'h', { keys: 'g', until: 1000 }, 900) // { matched: { keys: 'g h' } }
 */
export function matchStroke<S extends { keys: string }>(
  shortcuts: readonly S[],
  stroke: string,
  pending: Pending | undefined,
  now: number,
): StrokeResult<S> {
  const isOpen = pending !== undefined && now <= pending.until;
  for (const keys of isOpen ? [`${pending.keys} ${stroke}`, stroke] : [stroke]) {
    const matched = shortcuts.find((shortcut) => shortcut.keys === keys);
    if (matched) return { matched };
    if (shortcuts.some((shortcut) => shortcut.keys.startsWith(`${keys} `))) {
      return { pending: { keys, until: now + SEQUENCE_MS } };
    }
  }
  return {};
}
