/** Index files: lines of JSON, one value each, in chunks. Equal indexes are stored once, as all chunks. */
import { ArchiveError } from '../../errors.ts';
import type { ChunkReader } from './chunk-reader.ts';
import { CHUNK_BYTES, type ChunkWriter } from './chunk-writer.ts';

const LINE_FEED = 0x0a;
/** A file of 64 GiB has a line of about 5 MiB. */
const MAX_LINE_BYTES = 256 * 1024 * 1024;

/** Writes values as lines; returns the ids of the chunks in their order. Lines may cross the ends of chunks. */
export async function writeIndex(
  writer: ChunkWriter,
  values: Iterable<unknown> | AsyncIterable<unknown>,
): Promise<string[]> {
  const ids: string[] = [];
  let waiting: Buffer[] = [];
  let length = 0;
  for await (const value of values) {
    const line = Buffer.from(`${JSON.stringify(value)}\n`);
    waiting.push(line);
    length += line.length;
    if (length < CHUNK_BYTES) continue;
    const bytes = Buffer.concat(waiting);
    const end = length - (length % CHUNK_BYTES);
    for (let at = 0; at < end; at += CHUNK_BYTES)
      ids.push(await writer.write(bytes.subarray(at, at + CHUNK_BYTES)));
    // A copy, because the chunks before must not be kept in memory.
    const rest = Buffer.from(bytes.subarray(end));
    waiting = rest.length > 0 ? [rest] : [];
    length = rest.length;
  }
  if (length > 0) ids.push(await writer.write(Buffer.concat(waiting)));
  return ids;
}

/**
 * Yields the values of an index.
 * @param ids of its chunks, in their order
 * @param parse checks a value, e.g. a schema's `parse`; its errors are reported as damage
 */
export async function* readIndex<Value>(
  reader: ChunkReader,
  ids: readonly string[],
  parse: (value: unknown) => Value,
): AsyncGenerator<Value> {
  let number = 0;
  for await (const line of linesOf(reader, ids)) {
    number++;
    yield parseLine(line, number, parse);
  }
}

async function* linesOf(reader: ChunkReader, ids: readonly string[]): AsyncGenerator<string> {
  let rest: Buffer[] = [];
  let restBytes = 0;
  for (const [index, id] of ids.entries()) {
    // Reads the next chunk while the lines of this one are used.
    const following = ids[index + 1];
    const bytes = await reader.read(id);
    if (following !== undefined) reader.read(following).catch(() => {});
    let start = 0;
    for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, start)) {
      yield Buffer.concat([...rest, bytes.subarray(start, end)]).toString('utf8');
      rest = [];
      restBytes = 0;
      start = end + 1;
    }
    rest.push(bytes.subarray(start));
    restBytes += bytes.length - start;
    if (restBytes > MAX_LINE_BYTES) throw damaged('a line is too long');
  }
  if (restBytes > 0) throw damaged('its last line is incomplete');
}

function parseLine<Value>(line: string, number: number, parse: (value: unknown) => Value): Value {
  try {
    return parse(JSON.parse(line));
  } catch (cause) {
    throw damaged(`line ${number} is invalid: ${(cause as Error).message}`, cause);
  }
}

function damaged(reason: string, cause?: unknown): ArchiveError {
  return new ArchiveError('damaged', `an index is damaged: ${reason}`, { cause });
}
