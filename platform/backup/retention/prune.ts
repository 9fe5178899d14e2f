/**
 * Removes backups that the policy does not keep, and everything that only they need. It needs no key. Backups are removed
 * before their chunks, so that a killed pruning leaves every listed backup whole. If any list of references cannot be
 * read, nothing is removed.
 */
import { type ListedBackup, listBackups, readReferences, removeBackups } from '../archive/backups/backups.ts';
import type { PhysicalManifest } from '../archive/backups/manifest.ts';
import { ChunkIds, chunkIdOf, idsIn } from '../archive/chunks/chunk-ids.ts';
import { readRoundReferences } from '../archive/content/round.ts';
import { lineageOf, parseBackupFile, parseRound } from '../archive/layout.ts';
import { acquireLease, type Lease } from '../archive/lease/lease.ts';
import { ArchiveError, isArchiveError } from '../errors.ts';
import type { ArchiveStore } from '../store/archive-store.ts';
import { type LogHead, readHead } from '../wal/head.ts';
import { positionText } from '../wal/pieces.ts';
import { baseOf, isPhysical, isPieceNeeded, isRoundNeeded, type LineageLimits, limitsOf } from './plan.ts';
import { type RetentionPolicy, selectKept } from './policy.ts';

const DAY_MS = 24 * 3_600_000;
/** Younger files may belong to a running backup. */
const MIN_AGE_MS = DAY_MS;
/** Values in one removal. Between two removals the lease is checked. */
const BATCH = 1000;

/** Options of pruning. */
export interface PruneOptions {
  policy: RetentionPolicy;
  /** Days for which any second can be restored; undefined: since the oldest kept backup. */
  logDays?: number | undefined;
  /** Id of the instance. */
  holder: string;
  /**
   * The lease of the log, if this process holds it: it stores no content meanwhile. Otherwise it is acquired, so that no
   * other process ships to the archive.
   */
  logLease?: Lease | undefined;
  /** Only lists what would be removed. */
  dryRun?: boolean;
  now?: Date;
}

/** Numbers of removed values, and their bytes. */
export interface PruneResult {
  /** Ids of the backups. */
  removedBackups: string[];
  keptBackups: string[];
  removedChunks: number;
  removedPieces: number;
  removedRounds: number;
  removedBytes: number;
}

/**
 * Prunes an archive. Rejects with kind `busy` if a backup is running or another instance ships its log, unless it is a dry run,
 * which needs no lease.
 */
export async function prune(store: ArchiveStore, options: PruneOptions): Promise<PruneResult> {
  if (store.kind === 'file')
    throw new ArchiveError('refused', `${store.location} contains one backup, from which nothing is removed`);
  if (options.dryRun) return pruneUnder(store, options, []);
  const { holder } = options;
  const maintenance = await acquireLease(store, 'maintenance', { holder, purpose: 'pruning' });
  try {
    const log = options.logLease ?? (await acquireLease(store, 'log', { holder, purpose: 'pruning' }));
    try {
      return await pruneUnder(store, options, [maintenance, log]);
    } finally {
      if (options.logLease === undefined) await log.release();
    }
  } finally {
    await maintenance.release();
  }
}

/** @param leases checked between removals; a dry run has none */
async function pruneUnder(
  store: ArchiveStore,
  options: PruneOptions,
  leases: readonly Lease[],
): Promise<PruneResult> {
  const now = options.now ?? new Date();
  const before = new Date(now.getTime() - MIN_AGE_MS);
  const logSince =
    options.logDays === undefined ? undefined : new Date(now.getTime() - options.logDays * DAY_MS);
  const { kept, removed } = await select(store, options.policy, logSince);
  const limits = limitsOf(
    kept.map(({ manifest }) => manifest),
    logSince,
  );
  // Everything is read before anything is removed.
  const needed = await neededChunks(store, kept, limits);
  const remover = createRemover(store, leases, options.dryRun ?? false);

  const removedBackups = removed.map(({ id }) => id);
  await remover.backups(removedBackups);
  await remover.values(orphansOf(store, before), 'parts');
  await remover.values(
    unneeded(store, 'wal/', before, (name) => isPieceNeeded(name, limits)),
    'pieces',
  );
  await remover.values(
    unneeded(store, 'content/', before, (name) => isRoundNeeded(name, limits)),
    'rounds',
  );
  await remover.values(
    unneeded(store, 'chunks/', before, (name) => isChunkNeeded(name, needed)),
    'chunks',
  );
  if (!options.dryRun) await store.removeAbandoned(before);
  const { counts } = remover;
  return {
    removedBackups,
    keptBackups: kept.map(({ id }) => id),
    removedChunks: counts.chunks,
    removedPieces: counts.pieces,
    removedRounds: counts.rounds,
    removedBytes: counts.bytes,
  };
}

/** Rejects if a backup cannot be read: the chunks that it needs are unknown. */
async function select(
  store: ArchiveStore,
  policy: RetentionPolicy,
  logSince: Date | undefined,
): Promise<{ kept: ListedBackup[]; removed: ListedBackup[] }> {
  const { backups, unreadable } = await listBackups(store);
  const [first] = unreadable;
  if (first !== undefined) throw unknownNeeds(first.error, ofBackup(first.id));
  const keptIds = selectKept(
    backups.map(({ id, manifest, check }) => ({
      id,
      time: new Date(manifest.stopTime),
      check: check === undefined ? 'unchecked' : check.problems.length === 0 ? 'passed' : 'failed',
    })),
    policy,
  );
  const bases = logSince === undefined ? new Set() : await basesOfLogs(store, backups, logSince);
  const isKept = ({ id }: ListedBackup) => keptIds.has(id) || bases.has(id);
  return { kept: backups.filter(isKept), removed: backups.filter((backup) => !isKept(backup)) };
}

/**
 * Returns the backups that restores to the times since `logSince` begin with: one of each log that reaches these times, and
 * the first one after each gap. After a restore, and with several instances, an archive has several logs; the periods of the
 * policy do not distinguish them.
 */
async function basesOfLogs(
  store: ArchiveStore,
  backups: readonly ListedBackup[],
  logSince: Date,
): Promise<ReadonlySet<string>> {
  const usable = backups.filter(({ check }) => check === undefined || check.problems.length === 0);
  const physical = usable.map(({ manifest }) => manifest).filter(isPhysical);
  const bases = new Set<string>();
  for (const ofLog of Map.groupBy(physical, lineageOf).values()) {
    const base = baseOf(ofLog, logSince);
    if (base === undefined) continue;
    const head = await headOf(store, base);
    // Of a log whose head is damaged, it is not known which times it has.
    if (head === 'damaged' || (head !== undefined && head.coveredTime > logSince)) bases.add(base.id);
    if (head === 'damaged') continue;
    for (const { position } of head?.beforeGaps ?? []) {
      const end = positionText(position);
      const next = ofLog.find(({ stopLsn }) => stopLsn > end);
      if (next !== undefined && new Date(next.stopTime) > logSince) bases.add(next.id);
    }
  }
  return bases;
}

async function headOf(
  store: ArchiveStore,
  lineage: PhysicalManifest,
): Promise<LogHead | 'damaged' | undefined> {
  try {
    return await readHead(store, lineage);
  } catch (error) {
    if (isArchiveError(error, 'damaged')) return 'damaged';
    throw error;
  }
}

/** Returns the chunks that kept backups and needed rounds refer to. */
async function neededChunks(
  store: ArchiveStore,
  kept: readonly ListedBackup[],
  limits: ReadonlyMap<string, LineageLimits>,
): Promise<ChunkIds> {
  const needed = new ChunkIds();
  const addAll = (references: Buffer) => {
    for (const id of idsIn(references)) needed.add(id);
  };
  for (const { id, manifest } of kept)
    addAll(await knownNeeds(readReferences(store, manifest), ofBackup(id)));
  for await (const batch of store.list('content/'))
    for (const { name } of batch)
      if (parseRound(name) !== undefined && isRoundNeeded(name, limits))
        addAll(await knownNeeds(readRoundReferences(store, name), ofRound(name)));
  return needed;
}

const ofBackup = (id: string) => ({
  owner: `the backup ${id}`,
  wayOut: 'If the backup is lost, remove its files in backups/',
});
const ofRound = (name: string) => ({ owner: `the round ${name}`, wayOut: 'If it is lost, remove it' });

/** Reads references; explains why nothing is pruned if they are damaged or missing. */
async function knownNeeds(references: Promise<Buffer>, owner: ReturnType<typeof ofBackup>): Promise<Buffer> {
  try {
    return await references;
  } catch (error) {
    if (isArchiveError(error, 'damaged') || isArchiveError(error, 'missing'))
      throw unknownNeeds(error, owner);
    throw error;
  }
}

function unknownNeeds(error: ArchiveError, { owner, wayOut }: ReturnType<typeof ofBackup>): ArchiveError {
  return new ArchiveError(
    error.kind,
    `nothing was pruned, because it is unknown which chunks ${owner} needs: ${error.message}. ${wayOut}.`,
    { cause: error },
  );
}

function isChunkNeeded(name: string, needed: ChunkIds): boolean {
  const id = chunkIdOf(name);
  // Files of other programs are left alone.
  return id === undefined || needed.has(id);
}

/** A value that is to be removed. */
interface Removal {
  name: string;
  size: number;
}

async function* unneeded(
  store: ArchiveStore,
  prefix: string,
  before: Date,
  isNeeded: (name: string) => boolean,
): AsyncGenerator<Removal[]> {
  for await (const batch of store.list(prefix))
    yield batch.filter(({ name, modified }) => modified < before && !isNeeded(name));
}

/** References and checks without a manifest: of backups that were interrupted or removed in part. */
async function* orphansOf(store: ArchiveStore, before: Date): AsyncGenerator<Removal[]> {
  const ids = new Set<string>();
  const parts: (Removal & { id: string; modified: Date })[] = [];
  for (const prefix of ['backups/', 'checks/']) {
    for await (const batch of store.list(prefix)) {
      for (const { name, size, modified } of batch) {
        const file = parseBackupFile(name);
        if (file?.kind === 'manifest') ids.add(file.id);
        else if (file !== undefined) parts.push({ id: file.id, name, size, modified });
      }
    }
  }
  yield parts.filter(({ id, modified }) => modified < before && !ids.has(id));
}

/** Removes values in batches, and counts them. */
function createRemover(store: ArchiveStore, leases: readonly Lease[], dryRun: boolean) {
  const counts = { chunks: 0, pieces: 0, rounds: 0, parts: 0, bytes: 0 };

  async function requireLeases(): Promise<void> {
    for (const lease of leases) {
      if (lease.lost.aborted) throw lease.lost.reason;
      await lease.renew();
    }
  }

  return {
    counts,
    async backups(ids: readonly string[]): Promise<void> {
      if (dryRun || ids.length === 0) return;
      await requireLeases();
      await removeBackups(store, ids);
    },
    async values(
      batches: AsyncIterable<readonly Removal[]>,
      kind: 'chunks' | 'pieces' | 'rounds' | 'parts',
    ): Promise<void> {
      for await (const batch of batches) {
        for (let at = 0; at < batch.length; at += BATCH) {
          const part = batch.slice(at, at + BATCH);
          if (!dryRun) {
            await requireLeases();
            await store.remove(part.map(({ name }) => name));
          }
          counts[kind] += part.length;
          counts.bytes += part.reduce((sum, { size }) => sum + size, 0);
        }
      }
    },
  };
}
