/** Restores the content of objects that rows of a restored database name. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ChunkReader } from '../archive/chunks/chunk-reader.ts';
import { readIndex } from '../archive/chunks/index-file.ts';
import { ArchiveError } from '../errors.ts';
import type { ContentIndexes } from './backup-content.ts';
import { type ContentEntry, isContentIndex, parseContentEntry } from './content-index.ts';

/** Contents that are written at the same time. */
const CONCURRENT = 4;

/** A store that receives content. */
export interface ContentTarget {
  /** Whether the store has this content already. */
  has(entry: ContentEntry): Promise<boolean>;
  write(entry: ContentEntry, content: Readable): Promise<void>;
}

/** Options of {@link restoreContent}. */
interface RestoreContentOptions {
  reader: ChunkReader;
  /** Content that the archive has. Entries may repeat. */
  entries: AsyncIterable<ContentEntry>;
  /** Versions that rows name. Restored versions are removed from the set; the rest of the entries is not read without any. */
  wanted: Set<string>;
  target: ContentTarget;
  /** Called with each entry that is not wanted. */
  onOther?: ((entry: ContentEntry) => void) | undefined;
  /** Called with the number of bytes of each restored content. */
  onRestored?: (bytes: number) => void;
  signal?: AbortSignal | undefined;
}

/** Writes all wanted content. Rejects with kind `damaged` if content has another hash. */
export async function restoreContent(options: RestoreContentOptions): Promise<void> {
  const { entries, wanted, signal, onOther, onRestored } = options;
  const running = new Set<Promise<void>>();
  try {
    for await (const entry of entries) {
      signal?.throwIfAborted();
      if (!wanted.delete(entry.version)) {
        onOther?.(entry);
        continue;
      }
      if (running.size >= CONCURRENT) await Promise.race(running);
      const work = writeEntry(entry, options).then(() => {
        running.delete(work);
        onRestored?.(entry.size);
      });
      // Its error is thrown by the next wait.
      work.catch(() => undefined);
      running.add(work);
    }
  } finally {
    await Promise.all(running);
  }
}

/** Yields the content of a backup. */
export async function* entriesOf(reader: ChunkReader, indexes: ContentIndexes): AsyncGenerator<ContentEntry> {
  for (const [name, ids] of Object.entries(indexes))
    if (isContentIndex(name)) yield* readIndex(reader, ids, parseContentEntry);
}

/** Writes the content of an entry unless the store has it. */
export async function writeEntry(
  entry: ContentEntry,
  { reader, target }: Pick<RestoreContentOptions, 'reader' | 'target'>,
): Promise<void> {
  if (await target.has(entry)) return;
  await target.write(entry, Readable.from(checked(entry, reader)));
}

/** Yields the bytes of content; throws at the end if they have another hash, so that the store discards them. */
async function* checked(entry: ContentEntry, reader: ChunkReader): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  for await (const bytes of reader.stream(entry.pieces)) {
    hash.update(bytes);
    yield bytes;
  }
  if (hash.digest('hex') === entry.sha256) return;
  throw new ArchiveError('damaged', `the content of ${entry.bucket}/${entry.key} is damaged`);
}
