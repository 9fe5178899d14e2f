/**
 * Several reads as one segment. Each is a separate transaction with `begin` and `commit`, but there is only one Sync,
 * at the end: the server flushes its responses at each Sync, and each flush wakes up the client. A failure skips the
 * rest of the segment, so the reads behind it have not been run.
 */
import type { RawStatement, SegmentResult } from '../raw-batch/statement.ts';

const BEGIN: RawStatement = { text: 'begin read only' };
const COMMIT: RawStatement = { text: 'commit' };
/** Ends a transaction and begins the next one with the same characteristics: read only. */
const COMMIT_AND_CHAIN: RawStatement = { text: 'commit and chain' };

/** The statements of one read, and the index of the statement whose large row may be streamed. */
export interface WrittenRead {
  statements: readonly RawStatement[];
  streamed?: number;
}

/** Reads that were written together. */
export interface ReadBlock {
  statements: readonly RawStatement[];
  /** Indexes of the statements whose large rows may be streamed. */
  streamed: readonly number[];
  /** Index of the statement of the first read whose large row may be streamed; undefined if it has none. */
  firstStreamed: number | undefined;
  /** Splits a result into one for each read, up to the read that has failed. */
  resultsOf(result: SegmentResult): SegmentResult[];
}

/** Combines reads into one segment. A single read needs no `begin`: the segment is its transaction. */
export function createReadBlock(reads: readonly WrittenRead[]): ReadBlock {
  const [only] = reads;
  if (only !== undefined && reads.length === 1) {
    const streamed = only.streamed === undefined ? [] : [only.streamed];
    const { statements, streamed: firstStreamed } = only;
    return { statements, streamed, firstStreamed, resultsOf: (result) => [result] };
  }
  const statements: RawStatement[] = [BEGIN];
  const streamed: number[] = [];
  /** Index of the first statement of each read. */
  const starts: number[] = [];
  for (const read of reads) {
    const start = statements.length;
    starts.push(start);
    if (read.streamed !== undefined) streamed.push(start + read.streamed);
    statements.push(...read.statements, starts.length < reads.length ? COMMIT_AND_CHAIN : COMMIT);
  }
  const resultsOf = ({ results, failure, status }: SegmentResult) => {
    const split: SegmentResult[] = [];
    for (const [i, start] of starts.entries()) {
      const end = start + (reads[i]?.statements.length ?? 0);
      const hasFailed = failure !== undefined && failure.statement <= end;
      const own = hasFailed ? { ...failure, statement: Math.max(0, failure.statement - start) } : undefined;
      split.push({ results: results.slice(start, end), failure: own, status });
      if (hasFailed) break;
    }
    return split;
  };
  const firstStreamed = reads[0]?.streamed === undefined ? undefined : streamed[0];
  return { statements, streamed, firstStreamed, resultsOf };
}
