/** Stores content in rounds, `content/<lineage>/<time>-<number>`: objects that were added since the previous round. */
import type { Readable } from 'node:stream';
import type { Archive } from '../archive/archive.ts';
import type { ChunkIds } from '../archive/chunks/chunk-ids.ts';
import { type ChunkWriter, createChunkWriter } from '../archive/chunks/chunk-writer.ts';
import { writeIndex } from '../archive/chunks/index-file.ts';
import { listChunks } from '../archive/chunks/list-chunks.ts';
import { indexLine, MAX_ROUND_BYTES, putRound } from '../archive/content/round.ts';
import { parseRound, roundName, timeText } from '../archive/layout.ts';
import type { ContentRow, ContentSource } from '../content/backup-content.ts';
import type { ContentEntry } from '../content/content-index.ts';
import { ContentStorer } from '../content/store-content.ts';
import { ArchiveError } from '../errors.ts';

const NUMBERS = 1_000_000;
/** Most bytes that a piece adds to the line of its entry, or more. */
const PIECE_BYTES = 128;

/** Content that could not be read from its store. */
export interface UnreadableContent {
  row: ContentRow;
  reason: Error;
}

/** A round that is not stored yet. */
class OpenRound {
  readonly writer: ChunkWriter;
  readonly storer: ContentStorer;
  readonly entries: ContentEntry[] = [];
  /** At least the bytes of the lines of all entries. */
  bytes = 0;

  constructor(archive: Archive, chunks: ChunkIds) {
    this.writer = createChunkWriter(archive, chunks);
    this.storer = new ContentStorer(this.writer);
  }

  add(entry: ContentEntry): void {
    this.entries.push(entry);
    // The piece of small content is added to the entry later.
    this.bytes += bytesOf(entry) + PIECE_BYTES;
  }
}

/** Options of {@link RoundWriter}. */
interface RoundWriterOptions {
  /** Most bytes of entries in a round itself. Default: {@link MAX_ROUND_BYTES}. */
  maxBytes?: number;
}

/** Writes the rounds of a lineage. Only one process does so at a time, under the lease of the log. */
export class RoundWriter {
  readonly #archive: Archive;
  readonly #lineage: string;
  readonly #open: ContentSource['open'];
  readonly #maxBytes: number;
  /** Ids of the stored chunks; undefined before they are listed. */
  #chunks: ChunkIds | undefined;
  #number: number | undefined;

  constructor(
    archive: Archive,
    lineage: string,
    open: ContentSource['open'],
    { maxBytes = MAX_ROUND_BYTES }: RoundWriterOptions = {},
  ) {
    this.#archive = archive;
    this.#lineage = lineage;
    this.#open = open;
    this.#maxBytes = maxBytes;
  }

  /** Lists the chunks again before the next round, because some may have been removed. */
  forgetChunks(): void {
    this.#chunks = undefined;
  }

  /**
   * Stores the content of rows as one round, or as several if their entries are long; leaves out content that does not exist
   * any more. Returns the content that could not be read. Rejects with an `ArchiveError`; then the last round was not stored.
   * The names of the rounds have a time after that of their rows: a backup that began earlier may lack them, so pruning keeps
   * the rounds for it.
   */
  async write(rows: readonly ContentRow[]): Promise<UnreadableContent[]> {
    const time = new Date();
    this.#chunks ??= await listChunks(this.#archive.store);
    this.#number ??= await this.#nextNumber();
    let round = new OpenRound(this.#archive, this.#chunks);
    const unreadable: UnreadableContent[] = [];
    try {
      for (const row of rows) {
        const content = await this.#openReadable(row, unreadable);
        if (content === undefined) continue;
        try {
          round.add({ ...row, ...(await round.storer.store(content)) });
        } catch (error) {
          if (error instanceof ArchiveError) throw error;
          unreadable.push({ row, reason: error as Error });
        }
        if (round.bytes < this.#maxBytes / 2) continue;
        await this.#put(round, time);
        round = new OpenRound(this.#archive, this.#chunks);
      }
      await this.#put(round, time);
      return unreadable;
    } catch (error) {
      // The set contains ids whose chunks were not stored.
      this.forgetChunks();
      throw error;
    }
  }

  async #put({ writer, storer, entries }: OpenRound, time: Date): Promise<void> {
    await storer.flush();
    const bytes = entries.reduce((sum, entry) => sum + bytesOf(entry), 0);
    // Content of more than 100 GB has so many pieces that its entry has no room in a blob.
    const lines = bytes > this.#maxBytes ? [indexLine(await writeIndex(writer, entries))] : entries;
    await writer.finish();
    if (entries.length > 0) await putRound(this.#archive, this.#nameOf(time), lines, writer.references());
  }

  async #openReadable(row: ContentRow, unreadable: UnreadableContent[]): Promise<Readable | undefined> {
    try {
      return await this.#open(row);
    } catch (error) {
      unreadable.push({ row, reason: error as Error });
      return undefined;
    }
  }

  #nameOf(time: Date): string {
    const number = this.#number ?? 0;
    this.#number = (number + 1) % NUMBERS;
    return roundName({ lineage: this.#lineage, time: timeText(time), number });
  }

  /** A process that starts within a second after another one must not replace its round. */
  async #nextNumber(): Promise<number> {
    let newest: { time: string; number: number } | undefined;
    for await (const batch of this.#archive.store.list(`content/${this.#lineage}/`)) {
      for (const { name } of batch) {
        const round = parseRound(name);
        if (round !== undefined && (newest === undefined || isAfter(round, newest))) newest = round;
      }
    }
    return newest === undefined ? 0 : (newest.number + 1) % NUMBERS;
  }
}

/** Returns the bytes of the line of an entry. */
function bytesOf(entry: ContentEntry): number {
  return Buffer.byteLength(JSON.stringify(entry)) + 1;
}

function isAfter(one: { time: string; number: number }, other: { time: string; number: number }): boolean {
  return one.time > other.time || (one.time === other.time && one.number > other.number);
}
