import type { FileHandle } from 'node:fs/promises';

/** Writes all `length` bytes: a single write may be partial, e.g. if the disk is nearly full. */
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

/**
 * Rejects like `Promise.all`, but only after all calls have settled, because they use memory and the file until then.
 */
export async function settled(calls: readonly Promise<unknown>[]): Promise<void> {
  for (const result of await Promise.allSettled(calls)) if (result.status === 'rejected') throw result.reason;
}
