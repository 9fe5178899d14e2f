/**
 * A batch on its connection. The server responds statement by statement, segment by segment and part by part, so the
 * state of a batch is the position of the next response and the results collected for its segment:
 *
 *     created ─ submit ─► statement ─ ReadyForQuery of the last segment ─► ended
 *                          │  ▲  │
 *          CommandComplete │  │  │ ErrorResponse: the rest of the segment is skipped
 *                          ▼  │  ▼
 *            next statement ──┴── failed ─ ReadyForQuery ─► first statement of the next segment
 */
import type pg from 'pg';
import type { RawClient, RawReceiver } from './client.ts';
import {
  MESSAGE,
  type RawRow,
  readCommandTag,
  readError,
  readRow,
  readTransactionStatus,
  type TransactionStatus,
} from './decode.ts';
import { LargeRowReader } from './large-field.ts';
import type { ChunkReceiver } from './split.ts';
import { removeStale } from './stale-statement.ts';
import type { RawPart, RawResult, SegmentFailure, SegmentResult } from './statement.ts';
import { type SentStatement, writeParts } from './write-parts.ts';

/** pg's Submittable. pg itself receives only the last ReadyForQuery, and the loss of the connection. */
export class SubmittedBatch implements RawReceiver {
  readonly #client: RawClient;
  readonly #parts: readonly RawPart[];
  readonly #resolve: () => void;
  readonly #reject: (error: Error) => void;
  /** By part, then by segment. */
  readonly #sent: SentStatement[][][] = [];
  /** Index of the part whose responses are arriving. */
  #part = 0;
  /** Results of its segments. */
  #done: SegmentResult[] = [];
  /** Statements, results, rows and failure of the segment whose responses are arriving. */
  #segment: readonly SentStatement[] = [];
  #results: RawResult[] = [];
  #rows: RawRow[] = [];
  #failure: SegmentFailure | undefined;
  #large: LargeRowReader | undefined;

  constructor(
    client: RawClient,
    parts: readonly RawPart[],
    resolve: () => void,
    reject: (error: Error) => void,
  ) {
    this.#client = client;
    this.#parts = parts;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  submit(): Error | null {
    try {
      const flush = writeParts(this.#client, this.#parts, this.#sent);
      this.#client.receiver = this;
      this.#startSegment();
      this.#client.write(flush);
      return null;
    } catch (error) {
      return error as Error;
    }
  }

  handleReadyForQuery(): void {
    this.#resolve();
  }

  /** Called when the connection is lost. An error that the server has sent before is more informative than the loss. */
  handleError(error: Error): void {
    this.#client.receiver = undefined;
    this.#large?.fail(error);
    this.#reject(this.#failure?.error ?? error);
  }

  receive(bytes: Buffer, start: number, end: number): boolean {
    switch (bytes[start]) {
      case MESSAGE.parseComplete:
        this.#completeParse();
        return false;
      case MESSAGE.dataRow:
        this.#rows.push(readRow(bytes, start));
        return false;
      case MESSAGE.commandComplete:
        this.#finishStatement(readCommandTag(bytes, start, end));
        return false;
      case MESSAGE.emptyQuery:
        this.#finishStatement('');
        return false;
      case MESSAGE.error:
        this.#fail(readError(bytes, start, end));
        return false;
      case MESSAGE.readyForQuery:
        return this.#finishSegment(readTransactionStatus(bytes, start));
      default:
        // BindComplete and CloseComplete change nothing.
        return false;
    }
  }

  largeMessageReceiver(type: number): ChunkReceiver | undefined {
    const part = this.#parts[this.#part];
    const statement = this.#results.length;
    const isStreamed = this.#done.length === 0 && part?.streamed?.includes(statement);
    if (type !== MESSAGE.dataRow || !isStreamed || part?.onLargeRow === undefined) return undefined;
    const large = new LargeRowReader(
      this.#client,
      (row) => part.onLargeRow?.(row, statement),
      (message) => this.receive(message, 0, message.length),
    );
    this.#large = large;
    return (chunk, isLast) => large.receive(chunk, isLast);
  }

  #startSegment(): void {
    this.#segment = this.#sent[this.#part]?.[this.#done.length] ?? [];
    this.#results = [];
    this.#rows = [];
    this.#failure = undefined;
  }

  #completeParse(): void {
    const statement = this.#current;
    if (statement?.key !== undefined) this.#client.prepared.add(statement.key, statement.name);
  }

  #finishStatement(command: string): void {
    this.#results.push({ command, rows: this.#rows });
    this.#rows = [];
  }

  #fail(error: pg.DatabaseError): void {
    const isStale = removeStale(this.#client.prepared, error, this.#current);
    this.#failure = { error, statement: this.#results.length, isStale };
  }

  /** The statement whose response is next; undefined if only the end of the transaction is missing. */
  get #current(): SentStatement | undefined {
    return this.#segment[this.#results.length];
  }

  /** Returns whether it was the last segment of all parts. */
  #finishSegment(status: TransactionStatus): boolean {
    this.#done.push({ results: this.#results, failure: this.#failure, status });
    const part = this.#parts[this.#part];
    if (part !== undefined && this.#done.length === part.segments.length) {
      part.onEnd(this.#done);
      this.#part += 1;
      this.#done = [];
      if (this.#part === this.#parts.length) return true;
    }
    this.#startSegment();
    return false;
  }
}
