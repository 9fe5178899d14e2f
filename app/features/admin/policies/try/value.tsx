/** A value of a row. */

/** A value; null is set apart from the text. */
export function Value({ text }: { text: string | null }) {
  return text === null ? <span className="text-ink-muted italic">null</span> : text;
}
