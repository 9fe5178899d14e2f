/** The files of a stored log: numbered segments of whole lines, of which the oldest are removed. */
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** A file of the log. */
export interface Segment {
  /** Later segments have higher numbers, which are never used again. */
  number: number;
  bytes: number;
}

const NAME = /^(\d{10})\.ndjson$/;
const DIGITS = 10;

/** Returns the path of a segment. */
export function segmentPath(folder: string, number: number): string {
  return join(folder, `${String(number).padStart(DIGITS, '0')}.ndjson`);
}

/** Returns the segments, oldest first. A folder that does not exist has none. */
export async function listSegments(folder: string): Promise<Segment[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const numbers = names.flatMap((name) => NAME.exec(name)?.[1] ?? []).map(Number);
  const segments = await Promise.all(
    numbers.map(async (number) => {
      // It may have been removed since.
      const found = await stat(segmentPath(folder, number)).catch(() => undefined);
      return found ? [{ number, bytes: found.size }] : [];
    }),
  );
  return segments.flat().sort((a, b) => a.number - b.number);
}

/** Removes the oldest segments until all others have at most `maxBytes`. */
export async function removeOldest(folder: string, maxBytes: number): Promise<void> {
  let kept = 0;
  for (const { number, bytes } of (await listSegments(folder)).reverse()) {
    kept += bytes;
    if (kept > maxBytes) await rm(segmentPath(folder, number), { force: true });
  }
}
