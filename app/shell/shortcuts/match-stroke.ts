/** Finds the shortcut that strokes make up, alone or after each other. Pure; time comes in. */

/** Strokes of a sequence must follow each other within this many milliseconds. */
export const SEQUENCE_MS = 1000;

/** The beginning of a sequence. */
export interface Pending {
  keys: string;
  /** Milliseconds on the clock of the strokes. */
  until: number;
}

/** What a stroke comes to. */
interface StrokeResult<S> {
  matched?: S;
  pending?: Pending;
}

/**
 * `pending` is what the stroke before left. A stroke that does not go on with a sequence may begin another.
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
