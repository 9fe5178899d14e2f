/**
 * Finds the times of commits in segments of the write-ahead log, so that a recovery can report how far it is: PostgreSQL
 * logs positions only. The layout is that of `xlogrecord.h`, `xlog_internal.h` and `xact.h`. Pure.
 */
import { segmentStart } from '../../replication/lsn.ts';
import { type Lsn, POSTGRES_EPOCH_US } from '../../replication/wal-message.ts';

const PAGE_BYTES = 8192;
const FIRST_HEADER_BYTES = 40;
const HEADER_BYTES = 24;
/** Offset of the number of bytes with which the last record of the page before continues. */
const REST_OFFSET = 16;
const RECORD_HEADER_BYTES = 24;
const ALIGNMENT = 8;
/** The header of a record, and the parts before the time of a commit. */
const READ_BYTES = RECORD_HEADER_BYTES + 24;
const INFO_OFFSET = 16;
const MANAGER_OFFSET = 17;
const TRANSACTIONS = 1;
const OPERATION_MASK = 0x70;
const COMMIT = 0x00;
const COMMIT_PREPARED = 0x30;
/** Parts of a record before its data: their identifier and their number of bytes. */
const SKIPPED_PARTS = new Map([
  [253, 3],
  [252, 5],
]);
/** Identifiers of the data, and the number of bytes before it. */
const DATA_PARTS = new Map([
  [255, 2],
  [254, 5],
]);

/**
 * Returns the time of the last commit in a segment; undefined if it contains none. Ends at zeros.
 * @param end bytes of the segment that count: a record that ends later does not
 */
export function lastCommitIn(segment: Buffer, end = Number.POSITIVE_INFINITY): Date | undefined {
  let last: Date | undefined;
  let position = skip(segment, FIRST_HEADER_BYTES, segment.readUInt32LE(REST_OFFSET));
  for (;;) {
    position = align(position);
    if (position % PAGE_BYTES === 0) position += HEADER_BYTES;
    const record = read(segment, position, READ_BYTES);
    const length = record.length < RECORD_HEADER_BYTES ? 0 : record.readUInt32LE(0);
    if (length < RECORD_HEADER_BYTES) return last;
    const next = skip(segment, position, length);
    if (next > end) return last;
    last = commitTimeOf(record) ?? last;
    position = next;
  }
}

/** The times of commits in the segments that a recovering server has received. */
export class CommitTimes {
  readonly #times: { start: Lsn; time: Date }[] = [];

  add(start: Lsn, segment: Buffer): void {
    const time = lastCommitIn(segment);
    if (time !== undefined) this.#times.push({ start, time });
  }

  /** Returns the time of the last commit in segments before the one that contains a position. */
  before(position: Lsn | undefined): Date | undefined {
    if (position === undefined) return undefined;
    const start = segmentStart(position);
    return this.#times.findLast((segment) => segment.start < start)?.time;
  }
}

function commitTimeOf(record: Buffer): Date | undefined {
  const operation = record.readUInt8(INFO_OFFSET) & OPERATION_MASK;
  const isCommit =
    record.readUInt8(MANAGER_OFFSET) === TRANSACTIONS &&
    (operation === COMMIT || operation === COMMIT_PREPARED);
  if (!isCommit) return undefined;
  let offset = RECORD_HEADER_BYTES;
  for (let skipped = partAt(SKIPPED_PARTS); skipped !== undefined; skipped = partAt(SKIPPED_PARTS))
    offset += skipped;
  const before = partAt(DATA_PARTS);
  if (before === undefined || offset + before + 8 > record.length) return undefined;
  return new Date(Number((record.readBigInt64LE(offset + before) + POSTGRES_EPOCH_US) / 1000n));

  function partAt(parts: ReadonlyMap<number, number>): number | undefined {
    return offset < record.length ? parts.get(record.readUInt8(offset)) : undefined;
  }
}

/** Returns up to `length` bytes from a position on, without the headers of pages; fewer at the end of the segment. */
function read(segment: Buffer, position: number, length: number): Buffer {
  const end = pageEnd(position);
  if (position + length <= end || end >= segment.length)
    return segment.subarray(position, Math.min(position + length, end));
  const next = end + HEADER_BYTES;
  return Buffer.concat([
    segment.subarray(position, end),
    segment.subarray(next, next + length - (end - position)),
  ]);
}

/** Returns the position after `length` bytes of records. */
function skip(segment: Buffer, from: number, length: number): number {
  let position = from;
  let left = length;
  for (let end = pageEnd(position); left > end - position && end < segment.length; end = pageEnd(position)) {
    left -= end - position;
    position = end + HEADER_BYTES;
  }
  return position + left;
}

function pageEnd(position: number): number {
  return position - (position % PAGE_BYTES) + PAGE_BYTES;
}

function align(position: number): number {
  return Math.ceil(position / ALIGNMENT) * ALIGNMENT;
}
