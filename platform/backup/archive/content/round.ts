/**
 * Rounds of content, `content/<lineage>/<time>-<number>`: which objects were added since the previous round.
 *
 *     "GRR1" | number of references (4, big endian) | their SHA-256 | references (32 each) | blob: lines of JSON
 *
 * The references are in clear, because pruning has no key. The first line of the blob repeats their SHA-256, so that
 * readers with a key notice a change.
 */
import { createHash } from 'node:crypto';
import { ArchiveError } from '../../errors.ts';
import type { ArchiveStore } from '../../store/archive-store.ts';
import type { Archive } from '../archive.ts';
import { CHUNK_ID_BYTES } from '../chunks/chunk-ids.ts';

const MAGIC = Buffer.from('GRR1');
const COUNT_BYTES = 4;
const HASH_BYTES = 32;
const START = MAGIC.length + COUNT_BYTES + HASH_BYTES;

/** Stores a round. Its chunks must be stored before. */
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
  const [head, ...entries] = (await archive.decode(name, blob)).toString('utf8').split('\n').slice(0, -1);
  try {
    if (JSON.parse(head ?? '').references !== sha256(references).toString('hex'))
      throw new Error('its references were changed');
    return entries.map((entry) => parse(JSON.parse(entry)));
  } catch (cause) {
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
