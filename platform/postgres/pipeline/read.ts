/** Input and output of the pipeline. */
import type { ShareHolder } from '../connection-shares.ts';
import type { CancelSignal } from '../raw-batch/cancel-signal.ts';
import type { RawClient } from '../raw-batch/client.ts';
import type { LargeRow } from '../raw-batch/large-field.ts';
import type { SegmentResult } from '../raw-batch/statement.ts';
import type { StatementLatency } from '../raw-batch/statement-latency.ts';
import type { WrittenRead } from './read-block.ts';

/** A transaction that only reads. */
export interface Read {
  /** Returns its statements for the connection that will run them. Called again if the read has to be run again. */
  write(client: RawClient): WrittenRead;
  /** Receives a large row, see `RawPart`. */
  onLargeRow?: (row: LargeRow) => void;
  /** Latency of its main statement. */
  latency: StatementLatency;
  /** Cancels the running statement when it aborts. */
  signal?: CancelSignal | undefined;
  /** The client that the read runs for. Without a client, the read needs no permit. */
  holder?: ShareHolder | undefined;
}

/** The connection that ran a read, and its results. */
export interface ReadResult {
  client: RawClient;
  result: SegmentResult;
}
