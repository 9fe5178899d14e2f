/**
 * Rounds of content, `content/<lineage>/<time>-<number>`: which objects were added since the previous round.
 *
 *     "GRR1" | number of references (4, big endian) | their SHA-256 | references (32 each) | blob: lines of JSON
 *
 * Entries that have no room in one blob are an index in chunks, whose ids a line has instead.
 *
 * The references are in clear, because pruning has no key. The first line of the blob repeats their SHA-256, so that
 * readers with a key notice a change.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { ArchiveError } from '../../errors.ts';
import type { ArchiveStore } from '../../store/archive-store.ts';
import type { Archive } from '../archive.ts';
import { MAX_PLAIN_BYTES } from '../blob.ts';
import { CHUNK_ID_BYTES } from '../chunks/chunk-ids.ts';
import { createChunkReader } from '../chunks/chunk-reader.ts';
import { readIndex } from '../chunks/index-file.ts';
import { chunkIdSchema } from '../chunks/piece-schema.ts';

const MAGIC = Buffer.from('GRR1');
const COUNT_BYTES = 4;
const HASH_BYTES = 32;
const START = MAGIC.length + COUNT_BYTES + HASH_BYTES;
/** Most bytes of the lines of all entries: the blob has the first line as well. */
export const MAX_ROUND_BYTES = MAX_PLAIN_BYTES - 1024;

/** A line that names chunks with entries, instead of an entry. */
const indexLineSchema = z.strictObject({ index: z.array(chunkIdSchema) });

/** Returns the line that takes the place of entries in an index. @param ids those of `writeIndex` */
export function indexLine(ids: readonly string[]): z.infer<typeof indexLineSchema> {
  return { index: [...ids] };
}

/** Stores a round. Its chunks must be stored before. Rejects if the entries have more than `MAX_ROUND_BYTES`. */
export async function putRound(
  archive: Archive,
  name: string,
  entries: readonly unknown[],
  references: Buffer,
): Promise<void> {
  const lines = [{ references: sha256(references).toString('hex') }, ...entries].map(
    (line) => `${JSON.stringify(line)}\n`,
  );
  const count = Buffer.alloc(COUNT_BYTES);
  count.writeUInt32BE(references.length / CHUNK_ID_BYTES);
  const blob = await archive.encode(name, Buffer.from(lines.join('')));
  await archive.store.put(name, Buffer.concat([MAGIC, count, sha256(references), references, blob]));
}

/** Reads the references of a round without a key. Rejects with kind `missing` or `damaged`. */
export async function readRoundReferences(store: ArchiveStore, name: string): Promise<Buffer> {
  return split(name, await store.get(name), store.location).references;
}

/**
 * Reads the entries of a round. Rejects with kind `missing`, `damaged` or `wrongKey`.
 * @param parse checks an entry
 */
export async function readRound<Entry>(
  archive: Archive,
  name: string,
  parse: (entry: unknown) => Entry,
): Promise<Entry[]> {
  const { location } = archive.store;
  const { references, blob } = split(name, await archive.store.get(name), location);
  const [head, ...lines] = (await archive.decode(name, blob)).toString('utf8').split('\n').slice(0, -1);
  try {
    if (JSON.parse(head ?? '').references !== sha256(references).toString('hex'))
      throw new Error('its references were changed');
    const entries: Entry[] = [];
    for (const line of lines) {
      const value: unknown = JSON.parse(line);
      const index = indexLineSchema.safeParse(value);
      if (!index.success) entries.push(parse(value));
      else
        for await (const entry of readIndex(createChunkReader(archive), index.data.index, parse))
          entries.push(entry);
    }
    return entries;
  } catch (cause) {
    if (cause instanceof ArchiveError) throw cause;
    throw new ArchiveError('damaged', `${name} in ${location} is damaged: ${(cause as Error).message}`, {
      cause,
    });
  }
}

function split(name: string, bytes: Buffer, location: string): { references: Buffer; blob: Buffer } {
  const count = bytes.length >= START ? bytes.readUInt32BE(MAGIC.length) : 0;
  const end = START + count * CHUNK_ID_BYTES;
  const references = bytes.subarray(START, end);
  const isWhole =
    bytes.length > end &&
    bytes.subarray(0, MAGIC.length).equals(MAGIC) &&
    sha256(references).equals(bytes.subarray(START - HASH_BYTES, START));
  if (isWhole) return { references, blob: bytes.subarray(end) };
  throw new ArchiveError('damaged', `${name} in ${location} is damaged: it is not a round of content`);
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}
