/** Limits the rate at which an archive is written and read. */
import type { Archive } from './archive.ts';
import { Pace } from './pace.ts';

/**
 * Returns the archive with a limit for the content of chunks that pass: those that are written, including those that exist
 * already, and those that are read. 0 is no limit.
 */
export function withMaxRate(archive: Archive, bytesPerSecond: number): Archive {
  return bytesPerSecond === 0 ? archive : { ...archive, pace: new Pace(bytesPerSecond) };
}
