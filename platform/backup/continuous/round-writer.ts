/** Stores content in rounds, `content/<lineage>/<time>-<number>`: objects that were added since the previous round. */
import type { Readable } from 'node:stream';
import type { Archive } from '../archive/archive.ts';
import type { ChunkIds } from '../archive/chunks/chunk-ids.ts';
import { type ChunkWriter, createChunkWriter } from '../archive/chunks/chunk-writer.ts';
import { listChunks } from '../archive/chunks/list-chunks.ts';
import { putRound } from '../archive/content/round.ts';
import { parseRound, roundName, timeText } from '../archive/layout.ts';
import type { ContentRow, ContentSource } from '../content/backup-content.ts';
import type { ContentEntry } from '../content/content-index.ts';
import { ContentStorer } from '../content/store-content.ts';
import { ArchiveError } from '../errors.ts';

const NUMBERS = 1_000_000;
/**
 * Bytes of the entries of a round, from which on the next one begins. A blob has at most twice as many: content of 64 GiB has an
 * entry of 5 MiB.
 */
const MAX_ENTRY_BYTES = 8 * 1024 * 1024;
/** Bytes of a piece in a chunk that is shared with other content: it is known when the chunk is complete. */
const SHARED_PIECE_BYTES = 100;

/** Content that could not be read from its store. */
export interface UnreadableContent {
  row: ContentRow;
  reason: Error;
}

/** A round that is being written. */
interface Round {
  writer: ChunkWriter;
  storer: ContentStorer;
  entries: ContentEntry[];
  /** Bytes of the entries as lines. */
  bytes: number;
}

/** Writes the rounds of a lineage. Only one process does so at a time, under the lease of the log. */
export class RoundWriter {
  readonly #archive: Archive;
  readonly #lineage: string;
  readonly #open: ContentSource['open'];
  /** Ids of the stored chunks; undefined before they are listed. */
  #chunks: ChunkIds | undefined;
  #number: number | undefined;

  constructor(archive: Archive, lineage: string, open: ContentSource['open']) {
    this.#archive = archive;
    this.#lineage = lineage;
    this.#open = open;
  }

  /** Lists the chunks again before the next round, because some may have been removed. */
  forgetChunks(): void {
    this.#chunks = undefined;
  }

  /**
   * Stores the content of rows as one round, or as several if their entries have more bytes than a round can have; leaves out
   * content that does not exist any more. Returns the content that could not be read. Rejects with an `ArchiveError`; then a part
   * of the rounds may be stored.
   * The name of a round has a time after that of its rows: a backup that began earlier may lack them, so pruning keeps
   * the round for it.
   */
  async write(rows: readonly ContentRow[]): Promise<UnreadableContent[]> {
    const time = new Date();
    this.#chunks ??= await listChunks(this.#archive.store);
    this.#number ??= await this.#nextNumber();
    const unreadable: UnreadableContent[] = [];
    try {
      let round = this.#begin(this.#chunks);
      for (const row of rows) {
        const content = await this.#openReadable(row, unreadable);
        if (content === undefined) continue;
        try {
          const entry = { ...row, ...(await round.storer.store(content)) };
          round.entries.push(entry);
          round.bytes += entryBytes(entry);
        } catch (error) {
          if (error instanceof ArchiveError) throw error;
          unreadable.push({ row, reason: error as Error });
        }
        if (round.bytes < MAX_ENTRY_BYTES) continue;
        await this.#complete(round, time);
        round = this.#begin(this.#chunks);
      }
      await this.#complete(round, time);
      return unreadable;
    } catch (error) {
      // The set contains ids whose chunks were not stored.
      this.forgetChunks();
      throw error;
    }
  }

  #begin(chunks: ChunkIds): Round {
    const writer = createChunkWriter(this.#archive, chunks);
    return { writer, storer: new ContentStorer(writer), entries: [], bytes: 0 };
  }

  async #complete({ writer, storer, entries }: Round, time: Date): Promise<void> {
    await storer.flush();
    await writer.finish();
    if (entries.length > 0) await putRound(this.#archive, this.#nameOf(time), entries, writer.references());
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

function entryBytes(entry: ContentEntry): number {
  return Buffer.byteLength(JSON.stringify(entry)) + SHARED_PIECE_BYTES;
}

function isAfter(one: { time: string; number: number }, other: { time: string; number: number }): boolean {
  return one.time > other.time || (one.time === other.time && one.number > other.number);
}
