/**
 * Reads messages of a server without converting fields to strings. Each message is complete, with its header, and
 * begins at `start` of the bytes.
 */
import pg from 'pg';

/**
 * The fields of a row, in their own format; null is SQL's null. The buffers are views of the bytes read from the
 * socket.
 */
export type RawRow = (Buffer | null)[];

/** Length of a header: the type of a message and its length. */
export const MESSAGE_HEADER_BYTES = 5;

/** The first byte of each type of message that a batch can receive. */
export const MESSAGE = {
  parseComplete: 0x31,
  commandComplete: 0x43,
  dataRow: 0x44,
  error: 0x45,
  emptyQuery: 0x49,
  rowDescription: 0x54,
  portalSuspended: 0x73,
  copyInResponse: 0x47,
  readyForQuery: 0x5a,
  parameterStatus: 0x53,
  notice: 0x4e,
  notification: 0x41,
} as const;

/** Reads the fields of a DataRow message. */
export function readRow(bytes: Buffer, start: number): RawRow {
  const count = bytes.readUInt16BE(start + MESSAGE_HEADER_BYTES);
  const row: RawRow = new Array(count);
  let offset = start + MESSAGE_HEADER_BYTES + 2;
  for (let i = 0; i < count; i++) {
    const length = bytes.readInt32BE(offset);
    offset += 4;
    if (length < 0) {
      row[i] = null;
      continue;
    }
    row[i] = bytes.subarray(offset, offset + length);
    offset += length;
  }
  return row;
}

/** A column of a result. */
export interface ResultColumn {
  name: string;
  /** OID of its type. */
  type: number;
  /** OID of the table that the column belongs to; 0 for an expression. */
  table: number;
  /** Number of the column in its table; 0 for an expression. */
  number: number;
}

/** Reads the columns of a RowDescription message. */
export function readColumns(bytes: Buffer, start: number): ResultColumn[] {
  const columns = new Array<ResultColumn>(bytes.readUInt16BE(start + MESSAGE_HEADER_BYTES));
  let offset = start + MESSAGE_HEADER_BYTES + 2;
  for (let i = 0; i < columns.length; i++) {
    const nameEnd = bytes.indexOf(0, offset);
    columns[i] = {
      name: bytes.toString('utf8', offset, nameEnd),
      table: bytes.readUInt32BE(nameEnd + 1),
      number: bytes.readInt16BE(nameEnd + 5),
      type: bytes.readUInt32BE(nameEnd + 7),
    };
    // Followed by the size of the type (2), its modifier (4) and the format (2).
    offset = nameEnd + 19;
  }
  return columns;
}

/** Reads the command tag of CommandComplete, e.g. `INSERT 0 1`. */
export function readCommandTag(bytes: Buffer, start: number, end: number): string {
  return bytes.toString('latin1', start + MESSAGE_HEADER_BYTES, end - 1);
}

/** Whether a connection is idle, in a transaction block, or in a failed one. */
export type TransactionStatus = 'I' | 'T' | 'E';

/** Reads the transaction status of a ReadyForQuery message. */
export function readTransactionStatus(bytes: Buffer, start: number): TransactionStatus {
  return String.fromCharCode(bytes[start + MESSAGE_HEADER_BYTES] ?? 0) as TransactionStatus;
}

/** Field names by the codes of PostgreSQL's documentation, "Error and Notice Message Fields". */
const ERROR_FIELDS: Record<string, keyof pg.DatabaseError> = {
  S: 'severity',
  C: 'code',
  D: 'detail',
  H: 'hint',
  P: 'position',
  p: 'internalPosition',
  q: 'internalQuery',
  W: 'where',
  s: 'schema',
  t: 'table',
  c: 'column',
  d: 'dataType',
  n: 'constraint',
  F: 'file',
  L: 'line',
  R: 'routine',
};

/** Longer texts of errors are truncated: they repeat values that clients have sent, which may have megabytes. */
const MAX_TEXT_BYTES = 1024 * 1024;

/** Reads an ErrorResponse message as pg's own error. */
export function readError(bytes: Buffer, start: number, end: number): pg.DatabaseError {
  const fields = new Map<string, string>();
  for (let offset = start + MESSAGE_HEADER_BYTES; bytes[offset] !== 0; ) {
    const fieldEnd = bytes.indexOf(0, offset + 1);
    if (fieldEnd < 0 || fieldEnd >= end) break;
    const textEnd = Math.min(fieldEnd, offset + 1 + MAX_TEXT_BYTES);
    fields.set(String.fromCharCode(bytes[offset] ?? 0), bytes.toString('utf8', offset + 1, textEnd));
    offset = fieldEnd + 1;
  }
  const error = new pg.DatabaseError(fields.get('M') ?? '', end - start - 1, 'error');
  for (const [code, name] of Object.entries(ERROR_FIELDS)) Object.assign(error, { [name]: fields.get(code) });
  return error;
}
