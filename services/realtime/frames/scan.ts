/** Scans large JSON in slices that yield to the event loop. */
import { isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { JsonScanner, type JsonScannerOptions, type JsonSpan } from './json-scanner.ts';

/** Larger JSON is never parsed: `JSON.parse` may need a tenth of a microsecond per byte. */
export const LARGE_BYTES = 131_072;
/** A slice of this size takes a few milliseconds at most. */
const SLICE_BYTES = 65_536;

const DEFAULT_OPTIONS: JsonScannerOptions = { depth: -1, onValue: () => {} };

/** Resolves with whether the bytes are JSON in UTF-8. Rejects with errors of `onValue` other than a SyntaxError. */
export async function scanJson(
  bytes: Buffer,
  options: JsonScannerOptions = DEFAULT_OPTIONS,
): Promise<boolean> {
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

/** Whether valid JSON is an object. Checks only the first byte after whitespace. */
export function isObjectJson(bytes: Buffer): boolean {
  for (const byte of bytes) {
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return byte === 0x7b;
  }
  return false;
}

/** Parses a short span of valid JSON. */
export function parseSpan(bytes: Buffer, { start, end }: JsonSpan): unknown {
  return JSON.parse(bytes.toString('utf8', start, end));
}
