/** Writing all of some bytes, and waiting for all of some calls. */
import type { FileHandle } from 'node:fs/promises';

/** A write may take less than it was given, e.g. where a disk is nearly full. */
export async function writeAll(
  file: FileHandle,
  bytes: Buffer,
  length: number,
  position: number,
): Promise<void> {
  let written = 0;
  while (written < length) {
    const { bytesWritten } = await file.write(bytes, written, length - written, position + written);
    written += bytesWritten;
  }
}

/** Rejects as `Promise.all` does, but not before all are over: their memory and file are in use until then. */
export async function settled(calls: readonly Promise<unknown>[]): Promise<void> {
  for (const result of await Promise.allSettled(calls)) if (result.status === 'rejected') throw result.reason;
}
