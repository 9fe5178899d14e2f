/**
 * Messages between the walsender and its client inside CopyData ("Streaming Replication Protocol" in PostgreSQL's
 * documentation). Pure.
 */

/** A position in the write-ahead log. */
export type Lsn = bigint;

/** A message of the server: a part of the log, or a keepalive. */
type WalMessage = { kind: 'data'; data: Buffer } | { kind: 'keepalive'; end: Lsn; isReplyRequested: boolean };

const XLOG_DATA = 'w'.charCodeAt(0);
const KEEPALIVE = 'k'.charCodeAt(0);
const STATUS_UPDATE = 'r'.charCodeAt(0);
/** Size of the type, start, end and clock before the data. */
const XLOG_DATA_HEADER = 25;
const STATUS_UPDATE_BYTES = 34;
/** The epoch of PostgreSQL's timestamps, 2000-01-01, in microseconds since 1970. */
export const POSTGRES_EPOCH_US = 946_684_800_000_000n;

/** Decodes the content of one CopyData message. Returns undefined for an unknown kind of a later server version. */
export function readWalMessage(chunk: Buffer): WalMessage | undefined {
  switch (chunk[0]) {
    case XLOG_DATA:
      return { kind: 'data', data: chunk.subarray(XLOG_DATA_HEADER) };
    case KEEPALIVE:
      return { kind: 'keepalive', end: chunk.readBigUInt64BE(1), isReplyRequested: chunk[17] === 1 };
    default:
      return undefined;
  }
}

/** Returns the position of the first byte of the log in a message with data. */
export function readWalStart(message: Buffer): Lsn {
  return message.readBigUInt64BE(1);
}

/** Whether the server had no more log on its disk when it sent this message of a physical stream. */
export function isEndOfLog(message: Buffer): boolean {
  const end = readWalStart(message) + BigInt(message.length - XLOG_DATA_HEADER);
  return end >= message.readBigUInt64BE(9);
}

/** Encodes a status update: everything before `lsn` is processed. The server can be made to reply at once. */
export function writeStatusUpdate(lsn: Lsn, nowMs: number, isReplyRequested: boolean): Buffer {
  const message = Buffer.allocUnsafe(STATUS_UPDATE_BYTES);
  message[0] = STATUS_UPDATE;
  // The positions written, flushed and applied.
  for (const offset of [1, 9, 17]) message.writeBigUInt64BE(lsn, offset);
  message.writeBigInt64BE(BigInt(nowMs) * 1000n - POSTGRES_EPOCH_US, 25);
  message[33] = isReplyRequested ? 1 : 0;
  return message;
}
