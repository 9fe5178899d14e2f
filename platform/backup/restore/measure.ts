/** Estimates the size and the duration of a restore from a sample of the values that it reads. */
import type { Archive } from '../archive/archive.ts';
import { readManifest, readReferences } from '../archive/backups/backups.ts';
import type { Manifest } from '../archive/backups/manifest.ts';
import { ChunkIds, chunkName, idsIn } from '../archive/chunks/chunk-ids.ts';
import { createChunkReader, type Piece } from '../archive/chunks/chunk-reader.ts';
import { readIndex } from '../archive/chunks/index-file.ts';
import { readRound } from '../archive/content/round.ts';
import { parseRound, timeText } from '../archive/layout.ts';
import { parseContentEntry } from '../content/content-index.ts';
import { listRounds } from '../content/rounds.ts';
import { parseDatabaseEntry } from '../database/database-index.ts';
import { parseLogicalPart } from '../logical/logical-index.ts';
import type { RestorePlan } from './restore-plan.ts';

/** Time for each of the three samples: database, objects, rounds. */
const SAMPLE_MS = 400;
const CONCURRENT = 8;
/** PostgreSQL applies the log at this rate or faster. */
const LOG_BYTES_PER_SECOND = 40_000_000;
/** Starts of PostgreSQL and checks. */
const FIXED_SECONDS = 5;
/** A round is stored some time after its objects were added. */
const ROUND_DELAY_MS = 60_000;

/** An estimate of a restore. */
interface RestoreEstimate {
  /** Bytes that are read from the archive. */
  databaseBytes: number;
  logBytes: number;
  objectBytes: number;
  /** Bytes of the objects that were added after the backup. */
  addedBytes: number;
  seconds: number;
}

/** A part of the values that a restore reads. */
interface Sample {
  /** Mean of the measured numbers. */
  mean: number;
  bytes: number;
  seconds: number;
}

/** Reads some values of each kind for about a second. Rejects with kind `missing`, `damaged` or `wrongKey`. */
export async function estimateRestore(archive: Archive, plan: RestorePlan): Promise<RestoreEstimate> {
  const manifest = await readManifest(archive, plan.manifest.id);
  const database = await databaseChunks(archive, manifest);
  const all = [...idsIn(await readReferences(archive.store, manifest))];
  const files = all.filter((id) => database.has(id));
  const objects = all.filter((id) => !database.has(id));
  const readChunk = async (id: string) => {
    const bytes = await archive.store.get(chunkName(id));
    await archive.decode(chunkName(id), bytes);
    return { bytes: bytes.length, value: bytes.length };
  };
  const ofFiles = await sample(files, readChunk);
  const ofObjects = await sample(objects, readChunk);
  const { addedBytes, storedBytes } = await estimateRounds(archive, plan);
  const databaseBytes = Math.round(ofFiles.mean * files.length);
  const objectBytes = Math.round(ofObjects.mean * objects.length + storedBytes);
  const measured = ofFiles.bytes + ofObjects.bytes;
  const bytesPerSecond = measured / Math.max(ofFiles.seconds + ofObjects.seconds, 0.001);
  const downloaded = databaseBytes + objectBytes + plan.storedLogBytes;
  const reading = measured === 0 ? 0 : downloaded / bytesPerSecond;
  return {
    databaseBytes,
    logBytes: plan.storedLogBytes,
    objectBytes,
    addedBytes,
    seconds: reading + plan.logBytes / LOG_BYTES_PER_SECOND + FIXED_SECONDS,
  };
}

/** Returns the chunks of the files, or of the parts, of the database. */
async function databaseChunks(archive: Archive, { kind, indexes }: Manifest): Promise<ChunkIds> {
  const chunks = new ChunkIds();
  const parse: (line: unknown) => { pieces?: readonly Piece[] | undefined } =
    kind === 'physical' ? parseDatabaseEntry : parseLogicalPart;
  const parts = readIndex(createChunkReader(archive), indexes.database ?? [], parse);
  for await (const { pieces = [] } of parts) for (const [chunk] of pieces) chunks.add(chunk);
  return chunks;
}

/** Content is assumed to be as large in the archive as in the store. */
async function estimateRounds(
  archive: Archive,
  { manifest, target, until }: RestorePlan,
): Promise<{ addedBytes: number; storedBytes: number }> {
  if (target.kind === 'own' || manifest.kind === 'logical') return { addedBytes: 0, storedBytes: 0 };
  const last = timeText(new Date(until.getTime() + ROUND_DELAY_MS));
  const { after } = await listRounds(archive.store, manifest);
  const rounds = after.filter((name) => target.kind === 'latest' || (parseRound(name)?.time ?? '') <= last);
  const { mean } = await sample(rounds, async (name) => {
    const entries = await readRound(archive, name, parseContentEntry);
    return { bytes: 0, value: entries.reduce((sum, { size }) => sum + size, 0) };
  });
  const addedBytes = Math.round(mean * rounds.length);
  return { addedBytes, storedBytes: addedBytes };
}

/** Reads values that are spread over a list, until the time is over or all are read. */
async function sample(
  names: readonly string[],
  read: (name: string) => Promise<{ bytes: number; value: number }>,
): Promise<Sample> {
  const started = performance.now();
  const stride = strideOf(names.length);
  const sum = { values: 0, bytes: 0, count: 0 };
  let next = 0;
  async function work(): Promise<void> {
    while (next < names.length && performance.now() - started < SAMPLE_MS) {
      const name = names[(next++ * stride) % names.length] ?? '';
      const { bytes, value } = await read(name);
      sum.values += value;
      sum.bytes += bytes;
      sum.count += 1;
    }
  }
  await Promise.all(Array.from({ length: CONCURRENT }, work));
  const seconds = (performance.now() - started) / 1000;
  return { mean: sum.count === 0 ? 0 : sum.values / sum.count, bytes: sum.bytes, seconds };
}

/** Returns a step that visits each place of a list once. */
function strideOf(length: number): number {
  const golden = Math.max(1, Math.floor(length * 0.618));
  for (let step = golden; ; step++) if (greatestDivisor(step, length) <= 1) return step;
}

function greatestDivisor(one: number, other: number): number {
  return other === 0 ? one : greatestDivisor(other, one % other);
}
