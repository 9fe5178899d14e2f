/** How wide and deep JSON is, counted in its bytes before it is parsed: parsing is what a hostile body makes slow. */

/** What {@link shapeOf} counts. */
interface JsonShape {
  /** Deepest nesting of objects and arrays. */
  depth: number;
  /** Members and elements of all objects and arrays, give or take the number of these. */
  items: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/** Counts in one pass. What is not JSON has some shape, too; the parser refuses it. */
export function shapeOf(json: Uint8Array): JsonShape {
  let depth = 0;
  let deepest = 0;
  let items = 0;
  let isText = false;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at] ?? 0;
    if (isText) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if (byte === COMMA) items += 1;
    else if (OPENING.has(byte)) {
      items += 1;
      depth += 1;
      deepest = Math.max(deepest, depth);
    } else if (CLOSING.has(byte)) depth -= 1;
  }
  return { depth: deepest, items };
}
