/** Limits the rate at which an archive is written and read. */
import type { Archive } from './archive.ts';
import { Pace } from './pace.ts';

const MEGABYTE = 1_000_000;

/**
 * Returns the archive with a limit for the content of chunks that pass: those that are written, including those that exist
 * already, and those that are read. 0 is no limit.
 */
export function withMaxRate(archive: Archive, megabytesPerSecond: number): Archive {
  if (megabytesPerSecond === 0) return archive;
  return { ...archive, pace: new Pace(megabytesPerSecond * MEGABYTE) };
}
