/** Input and output of a raw batch. */
import type pg from 'pg';
import type { RawRow, TransactionStatus } from './decode.ts';
import type { RawValue, ResultFormats } from './encode.ts';
import type { LargeRow } from './large-field.ts';

/** One statement. */
export interface RawStatement {
  text: string;
  values?: readonly RawValue[];
  /** Statements of the same text but different scopes (role and schema) are prepared separately. */
  scope?: string;
  /** Formats of the result's columns. Default: text. */
  formats?: ResultFormats;
  /** False for a statement that is not worth preparing. A statement with a very long text is never prepared. */
  isPrepared?: boolean;
}

/**
 * Result of one statement. `command` is the command tag, e.g. `INSERT 0 1`. Rows passed to `onLargeRow` are not
 * included.
 */
export interface RawResult {
  command: string;
  rows: RawRow[];
}

/** Why a segment failed. */
export interface SegmentFailure {
  error: pg.DatabaseError;
  /** Index of the statement in its segment; the number of statements if only the end of the transaction failed. */
  statement: number;
  /**
   * The statement was prepared earlier and can no longer run, because its result type has changed or because it has
   * been deallocated. It has been removed from the prepared statements, so the same segment may be sent again.
   */
  isStale: boolean;
}

/** Result of one segment. After a failure, `results` contains the results of the statements before the failed one. */
export interface SegmentResult {
  results: RawResult[];
  failure: SegmentFailure | undefined;
  status: TransactionStatus;
}

/** Segments that belong together. One write may contain several parts. */
export interface RawPart {
  readonly segments: readonly (readonly RawStatement[])[];
  /**
   * Receives a large row of the statements at the indexes `streamed` of the first segment, instead of adding it to the
   * result, as soon as its last field begins to arrive. The batch waits until the field has been read or destroyed.
   */
  onLargeRow?: ((row: LargeRow, statement: number) => void) | undefined;
  readonly streamed?: readonly number[] | undefined;
  /** Called when all of its segments have ended, including failed ones. */
  onEnd(results: SegmentResult[]): void;
}
