/**
 * The definitions and rows of a database as the database of a backup: all parts are of one snapshot, so clients may write
 * meanwhile. Statements that change a table wait until the backup ends.
 */
import { openSnapshotSession, type SnapshotSession } from '@greenroom/dump';
import type { Piece } from '../archive/chunks/chunk-reader.ts';
import { CHUNK_BYTES, type ChunkWriter } from '../archive/chunks/chunk-writer.ts';
import { writeIndex } from '../archive/chunks/index-file.ts';
import { SharedChunks, SMALL_BYTES } from '../archive/chunks/shared-chunks.ts';
import type { DatabaseSource } from '../database-source.ts';
import type { LogicalPart, TablePart } from './logical-index.ts';
import { readRoles } from './roles.ts';
import { rowBlocks } from './row-blocks.ts';
import {
  type CopiedTable,
  copyRowsOf,
  readLargeObjects,
  readSequences,
  readTables,
} from './snapshot-catalog.ts';

/**
 * Names are quoted, so that a restore finds the names of roles. Tablespaces are paths of a server, and a restored
 * subscription would receive the changes of the original one.
 */
const DUMP = ['--quote-all-identifiers', '--no-tablespaces', '--no-subscriptions', '--no-large-objects'];
/** Values have the same text whatever the settings of the role. */
const FORMATS = `set timezone = 'UTC'; set bytea_output = 'hex'; set client_encoding = 'UTF8'; set datestyle = 'ISO, YMD';
  set intervalstyle = 'postgres'; set extra_float_digits = 3; set synchronize_seqscans = off; set row_security = off;
  set search_path = ''`;

/** Returns a source. @param url of the role that owns the database */
export function logicalSource(url: string): DatabaseSource {
  return async ({ writer, onProgress, signal }) => {
    const session = await openSnapshotSession(url);
    // A statement that runs, e.g. one that waits for a lock, ends with its connection.
    signal?.addEventListener('abort', session.close, { once: true });
    try {
      signal?.throwIfAborted();
      const database = new LogicalWriter(session, { writer, onProgress, signal });
      return await database.write();
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener('abort', session.close);
      session.close();
    }
  };
}

type WriterOptions = Pick<Parameters<DatabaseSource>[0], 'writer' | 'onProgress' | 'signal'>;

class LogicalWriter {
  readonly #session: SnapshotSession;
  readonly #writer: ChunkWriter;
  readonly #options: WriterOptions;
  readonly #parts: LogicalPart[] = [];
  #bytes = 0;

  constructor(session: SnapshotSession, options: WriterOptions) {
    this.#session = session;
    this.#writer = options.writer;
    this.#options = options;
  }

  async write(): ReturnType<DatabaseSource> {
    const session = this.#session;
    const [snapshot] = await session.query<{ time: Date }>('select clock_timestamp() as time');
    // pg_dump locks all tables, so that none can be changed until the end of the transaction.
    const definitions = await session.dump([...DUMP, '--section=pre-data']);
    const rest = await session.dump([...DUMP, '--section=post-data']);
    await session.query(FORMATS);
    await this.#addText('roles', JSON.stringify(await readRoles(session)));
    await this.#addText('pre-data', definitions);
    const tables = await readTables(session);
    for (const table of tables) await this.#addTable(table);
    await this.#addText('sequences', await readSequences(session));
    await this.#addLargeObjects();
    await this.#addText('post-data', rest);
    const index = await writeIndex(this.#writer, this.#parts);
    const stopTime = (snapshot?.time ?? new Date()).toISOString();
    return { index, files: tables.length, bytes: this.#bytes, state: { kind: 'logical', stopTime } };
  }

  async #addText(part: Exclude<LogicalPart['part'], 'table' | 'large-object'>, text: string): Promise<void> {
    const bytes = Buffer.from(text);
    const pieces: Piece[] = [];
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
      pieces.push(await this.#store(bytes.subarray(at, at + CHUNK_BYTES)));
    this.#parts.push({ part, size: bytes.length, pieces });
  }

  async #addTable(table: CopiedTable): Promise<void> {
    const { schema, name, columns, extension } = table;
    const pieces: Piece[] = [];
    let [rows, size] = [0, 0];
    for await (const block of rowBlocks(this.#session.copy(copyRowsOf(table)))) {
      pieces.push(await this.#store(block.bytes));
      rows += block.rows;
      size += block.bytes.length;
    }
    const part: TablePart = { part: 'table', schema, name, columns, rows, size, pieces };
    this.#parts.push(extension === null ? part : { ...part, extension });
  }

  async #addLargeObjects(): Promise<void> {
    const shared = new SharedChunks(this.#writer);
    let rights = '';
    for await (const { oid, rights: own } of readLargeObjects(this.#session)) {
      const pieces: Piece[] = [];
      let size = 0;
      for (let isLast = false; !isLast; ) {
        const bytes = await this.#readLargeObject(oid, size);
        isLast = bytes.length < CHUNK_BYTES;
        if (size === 0 && bytes.length < SMALL_BYTES) await shared.add(pieces, bytes);
        else if (bytes.length > 0) pieces.push(await this.#store(bytes));
        size += bytes.length;
      }
      this.#parts.push({ part: 'large-object', oid, size, pieces });
      rights += own;
    }
    await shared.flush();
    if (rights !== '') await this.#addText('large-object-rights', rights);
  }

  async #readLargeObject(oid: number, offset: number): Promise<Buffer> {
    this.#options.signal?.throwIfAborted();
    const [row] = await this.#session.query<{ bytes: Buffer }>(
      'select pg_catalog.lo_get($1, $2, $3) as bytes',
      [oid, offset, CHUNK_BYTES],
    );
    return row?.bytes ?? Buffer.alloc(0);
  }

  async #store(bytes: Buffer): Promise<Piece> {
    this.#options.signal?.throwIfAborted();
    const chunk = await this.#writer.write(bytes);
    this.#bytes += bytes.length;
    this.#options.onProgress(this.#bytes);
    return [chunk, 0, bytes.length];
  }
}
