/** Stage 1 of the feed: decodes messages of the replication stream into changes and positions. */

import type { Lsn } from '@greenroom/postgres';
import { isMessageTable } from './message-row.ts';
import { MAX_CHANGE_BYTES } from './payload/payload.ts';
import { createPgOutputReader, type Relation, type RowChange } from './replication/pgoutput.ts';

/** A change that is too large keeps only values up to this size, which suffices for the values of primary keys. */
const KEPT_VALUE_BYTES = 8192;

/** Options of {@link createDecoder}. */
interface DecoderOptions {
  /** Whether changes of a table are decoded. Changes of realtime.messages always are. */
  hasSubscribers: (relation: Relation) => boolean;
  onChange: (change: RowChange) => void;
  /** Called after all changes before this position have been passed to `onChange`. */
  onCommit: (end: Lsn) => void;
}

/** Decodes the messages of one connection at a time. */
interface Decoder {
  /** Discards the known relations when a new connection is opened. Its server describes them again. */
  reset(): void;
  /** Decodes a message. Throws if the bytes violate the protocol. */
  decode(data: Buffer): void;
}

/** Creates a decoder that is ready for the first connection. */
export function createDecoder({ hasSubscribers, onChange, onCommit }: DecoderOptions): Decoder {
  const createReader = () =>
    createPgOutputReader({
      isRelevant: (relation) => isMessageTable(relation) || hasSubscribers(relation),
      largeBytes: MAX_CHANGE_BYTES,
      maxValueBytes: KEPT_VALUE_BYTES,
      isReadCompletely: isMessageTable,
    });
  let read = createReader();
  return {
    reset() {
      read = createReader();
    },
    decode(data) {
      const output = read(data);
      if (output.kind === 'commit') onCommit(output.end);
      if (output.kind === 'change') onChange(output);
    },
  };
}
