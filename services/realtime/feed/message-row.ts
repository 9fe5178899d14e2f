/** Reads rows of realtime.messages from changes of the write-ahead log. Pure. */
import type { MessageRow } from './feed.ts';
import type { Relation, RowChange, TupleValue } from './replication/pgoutput.ts';

const SCHEMA = 'realtime';
const TABLE = 'messages';
const HEX_PREFIX = '\\x';

/** Whether a relation is realtime.messages. Its publication reports the table, not its partitions. */
export function isMessageTable({ schema, table }: Relation): boolean {
  return schema === SCHEMA && table === TABLE;
}

/** Returns the inserted row; undefined for a change that is not an insert. */
export function readMessageRow({ type, relation, record }: RowChange): MessageRow | undefined {
  if (type !== 'INSERT' || record === undefined) return undefined;
  const values = new Map<string, TupleValue>(
    relation.columns.map(({ name }, index) => [name, record[index]]),
  );
  const bytes = textOf(values.get('binary_payload'));
  return {
    id: textOf(values.get('id')) ?? '',
    topic: textOf(values.get('topic')) ?? '',
    extension: textOf(values.get('extension')) ?? '',
    event: textOf(values.get('event')),
    isPrivate: values.get('private') === 't',
    payload: textOf(values.get('payload')),
    binaryPayload: bytes === null ? null : Buffer.from(bytes.slice(HEX_PREFIX.length), 'hex'),
  };
}

function textOf(value: TupleValue): string | null {
  return typeof value === 'string' ? value : null;
}
