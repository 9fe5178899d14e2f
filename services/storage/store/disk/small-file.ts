/**
 * Writes small content, which is complete in memory, to a new file. Uses file descriptors instead of `FileHandle`, which
 * takes 50 to 90 µs more processor time for each file. The last step, closing a synced file, does not wait for the disk.
 */
import { close, closeSync, fdatasync, open, rename, unlink, write } from 'node:fs';
import { promisify } from 'node:util';
import { settled } from './write-all.ts';

const openFile = promisify(open);
const writeBytes = promisify(write);
const renameFile = promisify(rename);
const syncData = promisify(fdatasync);
const closeFile = promisify(close);
const unlinkFile = promisify(unlink);

/** Where a small file is written. */
interface SmallFileTarget {
  /** The path of the file until all bytes are written. */
  temporary: string;
  file: string;
  mode: number;
  /** Resolves when the name is on stable storage. */
  syncName(): Promise<void>;
}

/** Resolves when the bytes and the name are on stable storage. If this rejects, no file is left. */
export async function writeSmallFile(
  chunks: readonly Buffer[],
  { temporary, file, mode, syncName }: SmallFileTarget,
): Promise<void> {
  const descriptor = await openFile(temporary, 'wx', mode);
  let path = temporary;
  try {
    await writeChunks(descriptor, chunks);
    await renameFile(temporary, file);
    path = file;
    await settled([syncData(descriptor), syncName()]);
  } catch (error) {
    await closeFile(descriptor).catch(() => {});
    await unlinkFile(path).catch(() => {});
    throw error;
  }
  closeSync(descriptor);
}

/** A single write may be partial, e.g. if the disk is nearly full; writing the rest reports the error. */
async function writeChunks(descriptor: number, chunks: readonly Buffer[]): Promise<void> {
  const [first, ...others] = chunks;
  if (first === undefined) return;
  const bytes = others.length === 0 ? first : Buffer.concat(chunks);
  for (let position = 0; position < bytes.length; ) {
    const rest = bytes.length - position;
    const { bytesWritten } = await writeBytes(descriptor, bytes, position, rest, position);
    position += bytesWritten;
  }
}
