/**
 * Checks an archive without restoring it: every value that a backup needs exists and has the size of a blob; with keys,
 * each is decrypted. Returns the damaged values, and the backups and times that need them.
 */
import type { Archive } from '../archive/archive.ts';
import { listBackups, readManifest, readReferences } from '../archive/backups/backups.ts';
import { openCheck } from '../archive/backups/check-result.ts';
import type { Manifest } from '../archive/backups/manifest.ts';
import { ChunkIds, chunkName, idsIn } from '../archive/chunks/chunk-ids.ts';
import { checkName, manifestName, referencesName } from '../archive/layout.ts';
import type { ArchiveStore } from '../store/archive-store.ts';
import { backupsOfChunks, checkChunks, isDamage } from './check-chunks.ts';
import { byLineage, checkLog } from './check-log.ts';
import { checkRounds } from './check-rounds.ts';
import { type ArchiveReport, type Damage, damageOf } from './report.ts';

/**
 * Checks all backups of an archive. Rejects if the place does not respond or the key does not fit; damage is reported.
 * @param archive opened with keys that read; undefined: checks only what needs no key
 */
export async function checkArchive(store: ArchiveStore, archive?: Archive): Promise<ArchiveReport> {
  const { manifests, ids, damages } = await readManifests(store, archive);
  const unsealed = archive?.canRead ? await readChecks(archive, ids, damages) : [];
  const needed = new ChunkIds();
  const whole = await collectReferences(store, manifests, needed, damages);
  const lineages = byLineage(manifests);
  const log = await checkLog(store, archive, lineages);
  const content = await checkRounds(store, archive, lineages);
  for (const { references } of content.rounds) for (const id of idsIn(references)) needed.add(id);
  const chunks = await checkChunks(store, archive, needed);

  const affected = await backupsOfChunks(store, whole, chunks.damaged);
  for (const [id, error] of chunks.damaged) {
    const rounds = content.rounds.filter(({ references }) => new ChunkIds(references).has(id));
    const backups = affected.get(id) ?? [];
    damages.push(damageOf(chunkName(id), error, { backups, times: rounds.flatMap(({ times }) => times) }));
  }
  return {
    method: archive === undefined ? 'listed' : 'decrypted',
    backups: ids,
    checkedChunks: chunks.checked,
    checkedPieces: log.checked,
    checkedRounds: content.rounds.length + content.damages.length,
    checkedBytes: chunks.bytes + log.bytes + content.bytes,
    damages: [...damages, ...log.damages, ...content.damages],
    unsealed: [...unsealed, ...log.unsealed],
  };
}

async function readManifests(
  store: ArchiveStore,
  archive: Archive | undefined,
): Promise<{ manifests: Manifest[]; ids: string[]; damages: Damage[] }> {
  const { backups, unreadable } = await listBackups(store);
  const manifests: Manifest[] = [];
  const damages = unreadable.map(({ id, error }) => damageOf(manifestName(id), error, { backups: [id] }));
  for (const { id, manifest } of backups) {
    try {
      manifests.push(archive === undefined ? manifest : await readManifest(archive, id));
    } catch (error) {
      if (!isDamage(error)) throw error;
      damages.push(damageOf(manifestName(id), error, { backups: [id] }));
    }
  }
  const ids = [...backups, ...unreadable].map(({ id }) => id).toSorted();
  return { manifests, ids, damages };
}

/** Adds results of checks whose seal is wrong to `damages`; returns the names of those without a seal. */
async function readChecks(archive: Archive, ids: readonly string[], damages: Damage[]): Promise<string[]> {
  const unsealed: string[] = [];
  for (const id of ids) {
    try {
      if ((await openCheck(archive, id)).isUnsealed) unsealed.push(checkName(id));
    } catch (error) {
      if (!isDamage(error)) throw error;
      damages.push(damageOf(checkName(id), error, {}));
    }
  }
  return unsealed;
}

/** Adds the references of backups to `needed`; returns the backups whose references are whole. */
async function collectReferences(
  store: ArchiveStore,
  manifests: readonly Manifest[],
  needed: ChunkIds,
  damages: Damage[],
): Promise<Manifest[]> {
  const whole: Manifest[] = [];
  for (const manifest of manifests) {
    try {
      for (const id of idsIn(await readReferences(store, manifest))) needed.add(id);
      whole.push(manifest);
    } catch (error) {
      if (!isDamage(error)) throw error;
      damages.push(damageOf(referencesName(manifest.id), error, { backups: [manifest.id] }));
    }
  }
  return whole;
}
