/** A text for keeping. */

/**
 * A copy that holds on to nothing else. What is cut out of a text refers to it (V8's sliced strings): whoever keeps a part of
 * a URL keeps the whole of it, which may be a thousand times as long.
 */
export function ownText(text: string): string {
  return Buffer.from(text).toString();
}
