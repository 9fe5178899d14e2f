/**
 * Runs a statement whose result is limited in rows and bytes. The server stops after the rows of a query, so a query of a
 * table with millions of rows costs as much as its first rows. Statements that write always run to their end.
 */
import type pg from 'pg';
import type { RawClient, RawReceiver } from './raw-batch/client.ts';
import {
  MESSAGE,
  MESSAGE_HEADER_BYTES,
  type ResultColumn,
  readColumns,
  readCommandTag,
  readError,
  readRow,
} from './raw-batch/decode.ts';
import type { RawValue } from './raw-batch/encode.ts';
import type { ChunkReceiver } from './raw-batch/split.ts';

/** One statement and the limits of its result. */
interface LimitedStatement {
  text: string;
  values?: readonly RawValue[];
  maxRows: number;
  /** Rows beyond this number of bytes are discarded. A row that alone exceeds it is discarded, too. */
  maxBytes: number;
}

/** The result of a statement, with the values as PostgreSQL's texts. */
export interface LimitedResult {
  /** Undefined for a statement that returns no rows. */
  columns: readonly ResultColumn[] | undefined;
  rows: readonly (readonly (string | null)[])[];
  /** Command tag, e.g. `INSERT 0 1`; empty for an empty statement and for a query that was not read to its end. */
  tag: string;
  /** Whether the result has more rows than `rows`. */
  isTruncated: boolean;
}

/**
 * Runs one statement in its own implicit transaction, unless the connection is in a transaction block. Rejects with pg's
 * `DatabaseError`, with an error if the statement is `copy … from stdin`, or with the connection's error.
 */
export function runLimited(client: RawClient, statement: LimitedStatement): Promise<LimitedResult> {
  const { promise, resolve, reject } = Promise.withResolvers<LimitedResult>();
  client.query(new SubmittedStatement(client, statement, resolve, reject) as unknown as pg.Submittable);
  return promise;
}

/** pg's Submittable. pg itself receives only ReadyForQuery, and the loss of the connection. */
class SubmittedStatement implements RawReceiver {
  readonly #client: RawClient;
  readonly #statement: LimitedStatement;
  readonly #resolve: (result: LimitedResult) => void;
  readonly #reject: (error: Error) => void;
  #columns: readonly ResultColumn[] | undefined;
  #rows: (string | null)[][] = [];
  #bytes = 0;
  #tag = '';
  #isTruncated = false;
  #error: Error | undefined;

  constructor(
    client: RawClient,
    statement: LimitedStatement,
    resolve: (result: LimitedResult) => void,
    reject: (error: Error) => void,
  ) {
    this.#client = client;
    this.#statement = statement;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  submit(): Error | null {
    const { writer } = this.#client;
    const { text, values = [], maxRows } = this.#statement;
    try {
      writer.start();
      writer.parse('', text);
      writer.bind('', values, []);
      writer.describe();
      // One row more shows whether there are more.
      writer.execute(maxRows + 1);
      writer.sync();
      this.#client.receiver = this;
      this.#client.write(writer.finish());
      return null;
    } catch (error) {
      return error as Error;
    }
  }

  handleReadyForQuery(): void {
    if (this.#error !== undefined) {
      this.#reject(this.#error);
      return;
    }
    const [columns, rows, tag, isTruncated] = [this.#columns, this.#rows, this.#tag, this.#isTruncated];
    this.#resolve({ columns, rows, tag, isTruncated });
  }

  /** Called when the connection is lost. An error that the server has sent before is more informative than the loss. */
  handleError(error: Error): void {
    this.#client.receiver = undefined;
    this.#reject(this.#error ?? error);
  }

  receive(bytes: Buffer, start: number, end: number): boolean {
    switch (bytes[start]) {
      case MESSAGE.rowDescription:
        this.#columns = readColumns(bytes, start);
        return false;
      case MESSAGE.dataRow:
        this.#addRow(bytes, start, end);
        return false;
      case MESSAGE.portalSuspended:
        this.#isTruncated = true;
        return false;
      case MESSAGE.commandComplete:
        this.#tag = readCommandTag(bytes, start, end);
        return false;
      case MESSAGE.copyInResponse:
        this.#refuseCopy();
        return false;
      case MESSAGE.error:
        this.#error ??= readError(bytes, start, end);
        return false;
      default:
        return bytes[start] === MESSAGE.readyForQuery;
    }
  }

  /** Rows that exceed the limit alone are not held in memory. */
  largeMessageReceiver(type: number): ChunkReceiver | undefined {
    if (type !== MESSAGE.dataRow) return undefined;
    let chunks: Buffer[] | undefined = [];
    let length = 0;
    return (chunk, isLast) => {
      length += chunk.length;
      if (this.#bytes + length > this.#statement.maxBytes) chunks = undefined;
      // The memory of the chunk is that of the socket.
      chunks?.push(Buffer.from(chunk));
      if (!isLast) return;
      if (chunks === undefined) this.#isTruncated = true;
      else this.#addRow(Buffer.concat(chunks), 0, length);
    };
  }

  #addRow(bytes: Buffer, start: number, end: number): void {
    const { maxRows, maxBytes } = this.#statement;
    this.#isTruncated ||= this.#rows.length >= maxRows || this.#bytes + end - start > maxBytes;
    if (this.#isTruncated) return;
    this.#bytes += end - start - MESSAGE_HEADER_BYTES;
    this.#rows.push(readRow(bytes, start).map((field) => field?.toString('utf8') ?? null));
  }

  /** The server ignores the Sync that it has received during the copy. */
  #refuseCopy(): void {
    const { writer } = this.#client;
    writer.start();
    writer.copyFail('rows cannot be sent with this statement');
    writer.sync();
    this.#client.write(writer.finish());
  }
}
