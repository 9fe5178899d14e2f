/** Backs up the content of objects: reads only content that the archive does not have. */
import type { Readable } from 'node:stream';
import type { ChunkReader } from '../archive/chunks/chunk-reader.ts';
import type { ChunkWriter } from '../archive/chunks/chunk-writer.ts';
import { readIndex, writeIndex } from '../archive/chunks/index-file.ts';
import { isArchiveError } from '../errors.ts';
import { type ContentEntry, contentIndexOf, parseContentEntry } from './content-index.ts';
import { ContentStorer } from './store-content.ts';

/** Contents that are opened ahead of the one that is read. */
const OPENED_AHEAD = 8;

/** A row of storage.objects that names content. */
export interface ContentRow {
  version: string;
  bucket: string;
  key: string;
  metadata: unknown;
}

/** The objects of an instance. */
export interface ContentSource {
  /** Yields all rows whose version names content, ascending by their versions. */
  rows(): AsyncIterable<ContentRow>;
  /** Opens content; undefined if it does not exist, e.g. because its object was deleted since its row was read. */
  open(row: ContentRow): Promise<Readable | undefined>;
}

/** Names of indexes, e.g. `content/3f` → ids of their chunks. */
export type ContentIndexes = Readonly<Record<string, readonly string[]>>;

/** The content of a backup. */
interface ContentBackup {
  indexes: Record<string, string[]>;
  count: number;
  bytes: number;
}

/** Options of {@link backupContent}. */
interface BackupContentOptions {
  source: ContentSource;
  writer: ChunkWriter;
  reader: ChunkReader;
  /** Content that the archive has. */
  known: ContentIndexes;
  /** Whether the result contains known content without a row: it had one when the backup began. */
  keepsKnown: boolean;
  onProgress?: (count: number, bytes: number) => void;
  signal?: AbortSignal | undefined;
}

/** Stores the content of all rows. Content that does not exist any more is left out. */
export async function backupContent(options: BackupContentOptions): Promise<ContentBackup> {
  const { source, writer, known, keepsKnown, onProgress, signal } = options;
  const storer = new ContentStorer(writer);
  const indexes: Record<string, string[]> = {};
  const left = new Set(keepsKnown ? Object.keys(known) : []);
  let [count, bytes] = [0, 0];

  async function write(name: string, entries: Iterable<ContentEntry>): Promise<void> {
    await storer.flush();
    const all = [...entries].toSorted((one, other) => (one.version < other.version ? -1 : 1));
    indexes[name] = await writeIndex(writer, all);
    left.delete(name);
    count += all.length;
    bytes += all.reduce((sum, { size }) => sum + size, 0);
    onProgress?.(count, bytes);
  }

  for await (const { name, rows } of groupsOf(source.rows())) {
    const before = await readKnown(name, options);
    const entries = new Map(keepsKnown ? before : []);
    const unknown = rows.filter(({ version }) => !before.has(version));
    for (const row of rows) {
      const entry = before.get(row.version);
      if (entry !== undefined) entries.set(row.version, { ...entry, ...row });
    }
    for await (const { row, content } of openedAhead(unknown, source)) {
      signal?.throwIfAborted();
      if (content !== undefined) entries.set(row.version, { ...row, ...(await storer.store(content)) });
    }
    for (const { pieces } of entries.values()) for (const [chunk] of pieces) reuse(writer, chunk);
    if (entries.size > 0) await write(name, entries.values());
  }
  for (const name of left) await write(name, (await readKnown(name, options)).values());
  return { indexes, count, bytes };
}

/** Chunks of content that waits for its shared chunk do not exist yet, and are recorded when they are written. */
function reuse(writer: ChunkWriter, chunk: string): void {
  if (writer.has(chunk)) writer.reuse(chunk);
}

/** Returns the entries of an index by their versions, without those whose chunks were removed. */
async function readKnown(
  name: string,
  { known, reader, writer }: BackupContentOptions,
): Promise<Map<string, ContentEntry>> {
  const entries = new Map<string, ContentEntry>();
  try {
    for await (const entry of readIndex(reader, known[name] ?? [], parseContentEntry)) {
      if (entry.pieces.every(([chunk]) => writer.has(chunk))) entries.set(entry.version, entry);
    }
  } catch (error) {
    // An earlier backup that cannot be read, e.g. for lack of its key, saves no work.
    const isUnusable = ['missing', 'damaged', 'wrongKey'].some((kind) =>
      isArchiveError(error, kind as 'missing'),
    );
    if (!isUnusable) throw error;
    return new Map();
  }
  return entries;
}

/** Groups rows by their index. */
async function* groupsOf(
  rows: AsyncIterable<ContentRow>,
): AsyncGenerator<{ name: string; rows: ContentRow[] }> {
  let group: { name: string; rows: ContentRow[] } | undefined;
  for await (const row of rows) {
    const name = contentIndexOf(row.version);
    if (group?.name !== name) {
      if (group !== undefined) yield group;
      group = { name, rows: [] };
    }
    group.rows.push(row);
  }
  if (group !== undefined) yield group;
}

interface Opened {
  row: ContentRow;
  content: Readable | undefined;
}

async function* openedAhead(rows: readonly ContentRow[], source: ContentSource): AsyncGenerator<Opened> {
  const ahead: Promise<Opened>[] = [];
  const open = async (row: ContentRow) => ({ row, content: await source.open(row) });
  let next = 0;
  try {
    while (next < rows.length || ahead.length > 0) {
      for (let row = rows[next]; row !== undefined && ahead.length < OPENED_AHEAD; row = rows[++next]) {
        const opening = open(row);
        // Its error is thrown when the content is next.
        opening.catch(() => undefined);
        ahead.push(opening);
      }
      const first = ahead.shift();
      if (first !== undefined) yield await first;
    }
  } finally {
    for (const opening of ahead) opening.then(({ content }) => content?.destroy()).catch(() => undefined);
  }
}
