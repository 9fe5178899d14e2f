/** Stores content in rounds, `content/<lineage>/<time>-<number>`: objects that were added since the previous round. */
import type { Readable } from 'node:stream';
import type { Archive } from '../archive/archive.ts';
import type { ChunkIds } from '../archive/chunks/chunk-ids.ts';
import { createChunkWriter } from '../archive/chunks/chunk-writer.ts';
import { listChunks } from '../archive/chunks/list-chunks.ts';
import { putRound } from '../archive/content/round.ts';
import { parseRound, roundName, timeText } from '../archive/layout.ts';
import type { ContentRow, ContentSource } from '../content/backup-content.ts';
import type { ContentEntry } from '../content/content-index.ts';
import { ContentStorer } from '../content/store-content.ts';
import { ArchiveError } from '../errors.ts';

const NUMBERS = 1_000_000;

/** Content that could not be read from its store. */
export interface UnreadableContent {
  row: ContentRow;
  reason: Error;
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
   * Stores the content of rows as one round; leaves out content that does not exist any more. Returns the content that could
   * not be read. Rejects with an `ArchiveError`; then no round was stored.
   * The name of the round has a time after that of its rows: a backup that began earlier may lack them, so pruning keeps
   * the round for it.
   */
  async write(rows: readonly ContentRow[]): Promise<UnreadableContent[]> {
    const time = new Date();
    this.#chunks ??= await listChunks(this.#archive.store);
    this.#number ??= await this.#nextNumber();
    const writer = createChunkWriter(this.#archive, this.#chunks);
    const storer = new ContentStorer(writer);
    const entries: ContentEntry[] = [];
    const unreadable: UnreadableContent[] = [];
    try {
      for (const row of rows) {
        const content = await this.#openReadable(row, unreadable);
        if (content === undefined) continue;
        try {
          entries.push({ ...row, ...(await storer.store(content)) });
        } catch (error) {
          if (error instanceof ArchiveError) throw error;
          unreadable.push({ row, reason: error as Error });
        }
      }
      await storer.flush();
      await writer.finish();
      if (entries.length > 0) await putRound(this.#archive, this.#nameOf(time), entries, writer.references());
      return unreadable;
    } catch (error) {
      // The set contains ids whose chunks were not stored.
      this.forgetChunks();
      throw error;
    }
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

function isAfter(one: { time: string; number: number }, other: { time: string; number: number }): boolean {
  return one.time > other.time || (one.time === other.time && one.number > other.number);
}
