/** Stage 1 of the feed: messages of the replication stream become changes and positions. */
import { isMessageTable } from './message-row.ts';
import { MAX_CHANGE_BYTES } from './payload/payload.ts';
import { createPgOutputReader, type Relation, type RowChange } from './replication/pgoutput.ts';
import type { Lsn } from './replication/wal-message.ts';

/** Of changes that are too large to be delivered whole, values of primary keys are kept: they are never larger. */
const KEPT_VALUE_BYTES = 8192;

/** Options of {@link createDecoder}. */
interface DecoderOptions {
  /** Changes of other tables than these and realtime.messages are skipped. */
  isWatched: (relation: Relation) => boolean;
  onChange: (change: RowChange) => void;
  /** All changes before this position have been passed to `onChange`. */
  onCommit: (end: Lsn) => void;
}

/** Decodes one connection after the other. */
interface Decoder {
  /** A connection begins: its server describes all relations again. */
  reset(): void;
  /** Throws if the bytes are not what the protocol demands. */
  decode(data: Buffer): void;
}

/** Creates a decoder for a first connection. */
export function createDecoder({ isWatched, onChange, onCommit }: DecoderOptions): Decoder {
  const createReader = () =>
    createPgOutputReader({
      isWanted: (relation) => isMessageTable(relation) || isWatched(relation),
      largeBytes: MAX_CHANGE_BYTES,
      keptValueBytes: KEPT_VALUE_BYTES,
      isReadWhole: isMessageTable,
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
