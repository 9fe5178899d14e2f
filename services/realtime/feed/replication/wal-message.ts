/**
 * What walsender and its client say to each other inside CopyData ("Streaming Replication Protocol" in PostgreSQL's
 * documentation). Pure; what a piece of the log contains is ./pgoutput.ts's to read.
 */

/** A position in the write-ahead log. */
export type Lsn = bigint;

/** From the server: a piece of the log, or a sign of life. */
type WalMessage = { kind: 'data'; data: Buffer } | { kind: 'keepalive'; end: Lsn; wantsReply: boolean };

const XLOG_DATA = 'w'.charCodeAt(0);
const KEEPALIVE = 'k'.charCodeAt(0);
const STATUS_UPDATE = 'r'.charCodeAt(0);
/** Type, start, end and clock. */
const XLOG_DATA_HEADER = 25;
const STATUS_UPDATE_BYTES = 34;
/** 2000-01-01, in microseconds since 1970: where PostgreSQL's clock begins. */
export const POSTGRES_EPOCH_US = 946_684_800_000_000n;

/** Reads what one CopyData carries; undefined for a kind that later versions may bring. */
export function readWalMessage(chunk: Buffer): WalMessage | undefined {
  switch (chunk[0]) {
    case XLOG_DATA:
      return { kind: 'data', data: chunk.subarray(XLOG_DATA_HEADER) };
    case KEEPALIVE:
      return { kind: 'keepalive', end: chunk.readBigUInt64BE(1), wantsReply: chunk[17] === 1 };
    default:
      return undefined;
  }
}

/** Tells the server that everything before `lsn` is done with. It answers at once where `wantsReply`. */
export function writeStatusUpdate(lsn: Lsn, nowMs: number, wantsReply: boolean): Buffer {
  const message = Buffer.allocUnsafe(STATUS_UPDATE_BYTES);
  message[0] = STATUS_UPDATE;
  // Written, flushed, applied.
  for (const offset of [1, 9, 17]) message.writeBigUInt64BE(lsn, offset);
  message.writeBigInt64BE(BigInt(nowMs) * 1000n - POSTGRES_EPOCH_US, 25);
  message[33] = wantsReply ? 1 : 0;
  return message;
}
