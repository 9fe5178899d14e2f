/** Measures the width and depth of JSON in its bytes, before it is parsed, because parsing a malicious body is slow. */

/** Size measures of a JSON text. */
interface JsonSize {
  /** Maximum nesting depth of objects and arrays. */
  depth: number;
  /** Approximate number of members and elements: commas plus opening brackets. */
  items: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/** Measures a text in one pass. Accepts invalid JSON, which the parser rejects afterwards. */
export function measureJson(json: Uint8Array): JsonSize {
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
