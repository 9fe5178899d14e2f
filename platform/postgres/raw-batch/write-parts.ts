/** Writes the statements of a batch as protocol messages, and prepares statements under generated names. */
import type { RawClient } from './client.ts';
import type { FlushWriter } from './encode.ts';
import { MAX_PREPARED_CHARACTERS, type StatementKey } from './prepared.ts';
import type { RawPart, RawStatement } from './statement.ts';

/** One statement as it was written. */
export interface SentStatement {
  /** Set for a statement that is prepared under a name. */
  key: StatementKey | undefined;
  name: string;
  /** Whether the batch prepares it. */
  parsed: boolean;
}

/**
 * Writes parts into the memory of the client's writer, where the bytes are valid until its next flush. Throws if a
 * statement cannot be written; nothing has been sent then.
 * @param sent receives the statements, by part and then by segment
 */
export function writeParts(client: RawClient, parts: readonly RawPart[], sent: SentStatement[][][]): Buffer {
  const { prepared, writer } = client;
  writer.start();
  for (const name of prepared.takeObsolete()) writer.close(name);
  for (const { segments } of parts) {
    sent.push(segments.map((statements) => writeSegment(client, writer, statements)));
  }
  return writer.finish();
}

function writeSegment(
  client: RawClient,
  writer: FlushWriter,
  statements: readonly RawStatement[],
): SentStatement[] {
  // After an error the server skips the rest of a segment, so a segment must not use a statement that an earlier
  // segment prepares.
  const sent: SentStatement[] = [];
  for (const statement of statements) sent.push(writeStatement(client, writer, statement, sent));
  writer.sync();
  return sent;
}

/** @param before the statements before it in the same segment */
function writeStatement(
  client: RawClient,
  writer: FlushWriter,
  statement: RawStatement,
  before: readonly SentStatement[],
): SentStatement {
  const { text, values = [], formats = [] } = statement;
  const { prepared, preparesStatements } = client;
  const isOversized = text.length > MAX_PREPARED_CHARACTERS;
  if (isOversized) client.oversizedCharacters += text.length;
  const isPrepared = preparesStatements && statement.isPrepared !== false && !isOversized;
  const key = isPrepared ? statement : undefined;
  const known = key && (prepared.find(key) ?? nameOf(key, before));
  const name = known ?? (isPrepared ? prepared.newName() : '');
  if (known === undefined) writer.parse(name, text);
  writer.bind(name, values, formats);
  writer.execute();
  return { key, name, parsed: known === undefined };
}

/** Returns the name of a statement that has been written in this segment but not acknowledged yet. */
function nameOf({ scope, text }: StatementKey, sent: readonly SentStatement[]): string | undefined {
  if (sent.length === 0) return undefined;
  return sent.find(({ key }) => key?.text === text && key.scope === scope)?.name;
}
