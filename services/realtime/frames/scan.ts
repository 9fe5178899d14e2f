/** Scans large JSON in slices, so that the event loop goes on between them. */
import { isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { JsonScanner, type JsonScannerOptions, type JsonSpan } from './json-scanner.ts';

/** JSON above this size is never parsed: `JSON.parse` may need a tenth of a microsecond per byte. */
export const LARGE_BYTES = 131_072;
/** One slice takes a few milliseconds at most. */
const SLICE_BYTES = 65_536;

const NOTHING: JsonScannerOptions = { depth: -1, onValue: () => {} };

/** Whether bytes are JSON in UTF-8. Rethrows what `onValue` throws, other than a SyntaxError. */
export async function scanJson(bytes: Buffer, options: JsonScannerOptions = NOTHING): Promise<boolean> {
  if (!isUtf8(bytes)) return false;
  const scanner = new JsonScanner(bytes, options);
  try {
    while (!scanner.run(SLICE_BYTES)) await nextTurn();
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

/** Whether JSON that is known to be valid is an object: by its first byte that is not blank. */
export function isObjectJson(bytes: Buffer): boolean {
  for (const byte of bytes) {
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return byte === 0x7b;
  }
  return false;
}

/** The value of a short span of valid JSON. */
export function parseSpan(bytes: Buffer, { start, end }: JsonSpan): unknown {
  return JSON.parse(bytes.toString('utf8', start, end));
}
