/**
 * Decodes the messages of the output plugin pgoutput ("Logical Replication Message Formats", protocol version 1).
 * Values remain the texts of PostgreSQL's output functions. A reader stores only relations and the current transaction.
 */
import type { Lsn } from '@greenroom/postgres';
import { POSTGRES_EPOCH_US } from '@greenroom/postgres';

/** Replaces a value that was left out of a large change to save memory. */
export const TOO_LARGE = Symbol('too large');

/** The text of a value; undefined if PostgreSQL did not send it (an unchanged TOAST value). */
export type TupleValue = string | null | undefined | typeof TOO_LARGE;
/** Values in the order of the relation's columns. */
export type Tuple = readonly TupleValue[];

/** A published column. */
export interface RelationColumn {
  name: string;
  typeOid: number;
  /** Whether the column is part of the replica identity. Under FULL all columns are. */
  isKey: boolean;
}

/** The definition of a table at the time of a change. */
export interface Relation {
  oid: number;
  schema: string;
  table: string;
  /** `pg_class.relreplident`. */
  identity: string;
  columns: readonly RelationColumn[];
}

export interface RowChange {
  kind: 'change';
  type: 'INSERT' | 'UPDATE' | 'DELETE';
  relation: Relation;
  commitTimeMs: number;
  /** The id of the transaction, without the epoch. */
  xid: number;
  /** The new row; undefined for DELETE. */
  record: Tuple | undefined;
  /** The old row: all columns, or those of the replica identity. Undefined for INSERT, or if it was not sent. */
  oldRecord: Tuple | undefined;
  /** Whether `oldRecord` has all columns (REPLICA IDENTITY FULL). */
  isOldComplete: boolean;
  /** Size of the message from PostgreSQL. */
  bytes: number;
}

/** A decoded message. Messages that the feed does not need are `other`. */
type PgOutput =
  | { kind: 'commit'; end: Lsn }
  | { kind: 'relation'; relation: Relation }
  | RowChange
  | { kind: 'other' };

/** Options of {@link createPgOutputReader}. */
export interface PgOutputReaderOptions {
  /** Whether changes of a relation are decoded. */
  isRelevant: (relation: Relation) => boolean;
  /** Larger changes keep only values of at most `maxValueBytes`, except in relations that are read completely. */
  largeBytes: number;
  maxValueBytes: number;
  isReadCompletely: (relation: Relation) => boolean;
}

/** Creates a reader for one connection, with no relations at first. It throws if the bytes violate the protocol. */
export function createPgOutputReader(options: PgOutputReaderOptions): (data: Buffer) => PgOutput {
  const relations = new Map<number, Relation>();
  let commitTimeMs = 0;
  let xid = 0;

  function readChange(reader: ByteReader, type: RowChange['type'], bytes: number): PgOutput {
    const relation = relations.get(reader.uint32());
    if (relation === undefined) throw new Error('received a change of an unknown relation');
    if (!options.isRelevant(relation)) return { kind: 'other' };
    const isTruncated = bytes > options.largeBytes && !options.isReadCompletely(relation);
    const maxBytes = isTruncated ? options.maxValueBytes : Number.POSITIVE_INFINITY;
    const tuples = new Map<string, TupleValue[]>();
    while (!reader.isAtEnd()) tuples.set(reader.character(), readTuple(reader, maxBytes));
    const old = tuples.get('O') ?? tuples.get('K');
    const isOldComplete = tuples.has('O');
    const record = tuples.get('N');
    return {
      kind: 'change',
      type,
      relation,
      commitTimeMs,
      xid,
      record: record && isOldComplete ? withUnchanged(record, old ?? []) : record,
      oldRecord: old,
      isOldComplete,
      bytes,
    };
  }

  return (data) => {
    const reader = new ByteReader(data);
    switch (reader.character()) {
      case 'B':
        reader.skip(8);
        commitTimeMs = Number((reader.int64() + POSTGRES_EPOCH_US) / 1000n);
        xid = reader.uint32();
        return { kind: 'other' };
      case 'C':
        reader.skip(9);
        return { kind: 'commit', end: reader.uint64() };
      case 'R': {
        const relation = readRelation(reader);
        relations.set(relation.oid, relation);
        return { kind: 'relation', relation };
      }
      case 'I':
        return readChange(reader, 'INSERT', data.length);
      case 'U':
        return readChange(reader, 'UPDATE', data.length);
      case 'D':
        return readChange(reader, 'DELETE', data.length);
      default:
        return { kind: 'other' };
    }
  };
}

/** Completes unchanged TOAST values from the old row, if that was sent whole. */
function withUnchanged(record: Tuple, old: Tuple): Tuple {
  return record.map((value, index) => (value === undefined ? old[index] : value));
}

function readRelation(reader: ByteReader): Relation {
  const oid = reader.uint32();
  const schema = reader.cstring();
  const table = reader.cstring();
  const identity = reader.character();
  const columns = Array.from({ length: reader.uint16() }, () => {
    const isKey = (reader.uint8() & 1) === 1;
    const name = reader.cstring();
    const typeOid = reader.uint32();
    reader.skip(4);
    return { name, typeOid, isKey };
  });
  // An empty name means pg_catalog.
  return { oid, schema: schema || 'pg_catalog', table, identity, columns };
}

function readTuple(reader: ByteReader, maxBytes: number): TupleValue[] {
  return Array.from({ length: reader.uint16() }, () => {
    const kind = reader.character();
    if (kind === 'n') return null;
    if (kind === 'u') return undefined;
    if (kind !== 't') throw new Error(`received a value of the unknown kind ${kind}`);
    const length = reader.uint32();
    if (length <= maxBytes) return reader.text(length);
    reader.skip(length);
    return TOO_LARGE;
  });
}

/** Reads a message from the front. */
class ByteReader {
  readonly #bytes: Buffer;
  #offset = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  isAtEnd(): boolean {
    return this.#offset >= this.#bytes.length;
  }

  skip(length: number): void {
    this.#offset += length;
  }

  uint8(): number {
    return this.#bytes.readUInt8(this.#advance(1));
  }

  uint16(): number {
    return this.#bytes.readUInt16BE(this.#advance(2));
  }

  uint32(): number {
    return this.#bytes.readUInt32BE(this.#advance(4));
  }

  int64(): bigint {
    return this.#bytes.readBigInt64BE(this.#advance(8));
  }

  uint64(): bigint {
    return this.#bytes.readBigUInt64BE(this.#advance(8));
  }

  character(): string {
    return String.fromCharCode(this.uint8());
  }

  cstring(): string {
    const end = this.#bytes.indexOf(0, this.#offset);
    if (end === -1) throw new Error('received an unterminated string');
    const text = this.#bytes.toString('utf8', this.#offset, end);
    this.#offset = end + 1;
    return text;
  }

  text(length: number): string {
    const start = this.#advance(length);
    if (start + length > this.#bytes.length) throw new Error('received a truncated value');
    return this.#bytes.toString('utf8', start, start + length);
  }

  #advance(length: number): number {
    const start = this.#offset;
    this.#offset += length;
    return start;
  }
}
