/** Writes, reads and lists backups. A backup exists when its manifest exists. */
import { createHash } from 'node:crypto';
import { ArchiveError, isArchiveError } from '../../errors.ts';
import type { ArchiveStore } from '../../store/archive-store.ts';
import { compareNames } from '../../store/names.ts';
import type { Archive } from '../archive.ts';
import { CHUNK_ID_BYTES } from '../chunks/chunk-ids.ts';
import { checkName, manifestName, parseBackupFile, referencesName } from '../layout.ts';
import { type BackupCheck, findCheck, openCheck } from './check-result.ts';
import { decodeManifest, encodeManifest, type Manifest, openManifest } from './manifest.ts';

/** A manifest before its list of references is known. */
type UnreferencedManifest = Manifest extends infer Kind
  ? Kind extends Manifest
    ? Omit<Kind, 'references'>
    : never
  : never;

/** A backup in a list. */
export interface ListedBackup {
  id: string;
  manifest: Manifest;
  /** Undefined if the backup was not checked. */
  check: BackupCheck | undefined;
}

/** A backup whose manifest cannot be read. */
export interface UnreadableBackup {
  id: string;
  error: ArchiveError;
}

/**
 * Writes the references and then the manifest, which makes the backup exist.
 * @param references sorted ids of all chunks that the backup needs, see `ChunkWriter`
 */
export async function writeBackup(
  archive: Archive,
  manifest: UnreferencedManifest,
  references: Buffer,
): Promise<Manifest> {
  const { store } = archive;
  const complete = {
    ...manifest,
    references: { count: references.length / CHUNK_ID_BYTES, sha256: sha256(references) },
  } as Manifest;
  await store.put(referencesName(manifest.id), references);
  await store.put(manifestName(manifest.id), await encodeManifest(archive, complete));
  await store.commit();
  return complete;
}

/** Reads a manifest with the keys of the archive. Rejects with kind `missing`, `damaged`, `wrongKey` or `refused`. */
export async function readManifest(archive: Archive, id: string): Promise<Manifest> {
  return openManifest(archive, id, await archive.store.get(manifestName(id)));
}

/** Reads the sorted ids of the chunks of a backup, without a key. Rejects with kind `missing` or `damaged`. */
export async function readReferences(store: ArchiveStore, manifest: Manifest): Promise<Buffer> {
  const name = referencesName(manifest.id);
  const bytes = await store.get(name);
  const { count, sha256: expected } = manifest.references;
  if (bytes.length === count * CHUNK_ID_BYTES && sha256(bytes) === expected) return bytes;
  throw new ArchiveError('damaged', `${name} in ${store.location} is damaged: it does not fit its manifest`);
}

/** The backups of an archive, oldest first. */
export interface ListedArchive {
  /** For messages. */
  location: string;
  backups: readonly ListedBackup[];
}

/** How backups are listed. */
interface ListOptions {
  /** With its keys: manifests and results of checks are believed only with their seals. Default: without a key. */
  archive?: Archive | undefined;
  /** Called with the error of each result of a check whose seal is wrong, which counts as none. */
  onRejected?: ((error: ArchiveError) => void) | undefined;
}

/** Lists all backups, oldest first, and those that cannot be read. */
export async function listBackups(
  store: ArchiveStore,
  options: ListOptions = {},
): Promise<ListedArchive & { backups: ListedBackup[]; unreadable: UnreadableBackup[] }> {
  const backups: ListedBackup[] = [];
  const unreadable: UnreadableBackup[] = [];
  for await (const batch of store.list('backups/')) {
    for (const { name } of batch) {
      const file = parseBackupFile(name);
      if (file?.kind !== 'manifest') continue;
      const read = await readListed(store, file.id, options);
      if (read === undefined) continue;
      if ('error' in read) unreadable.push(read);
      else backups.push(read);
    }
  }
  const sorted = backups.toSorted((left, right) => compareNames(left.id, right.id));
  return { location: store.location, backups: sorted, unreadable };
}

/** Returns undefined if the backup was removed since it was listed. */
async function readListed(
  store: ArchiveStore,
  id: string,
  { archive, onRejected }: ListOptions,
): Promise<ListedBackup | UnreadableBackup | undefined> {
  const bytes = await store.get(manifestName(id)).catch((error: unknown) => {
    if (isArchiveError(error, 'missing')) return undefined;
    throw error;
  });
  if (bytes === undefined) return undefined;
  const keys = archive?.canRead ? archive : undefined;
  try {
    if (keys === undefined) {
      const manifest = decodeManifest(id, bytes, store.location);
      return { id, manifest, check: await findCheck(store, id) };
    }
    return {
      id,
      manifest: await openManifest(keys, id, bytes),
      check: await believedCheck(keys, id, onRejected),
    };
  } catch (error) {
    // The file of a key may be missing.
    const isOfBackup = UNREADABLE.some((kind) => isArchiveError(error, kind));
    if (isOfBackup) return { id, error: error as ArchiveError };
    throw error;
  }
}

const UNREADABLE = ['missing', 'damaged', 'refused', 'wrongKey'] as const;

async function believedCheck(
  archive: Archive,
  id: string,
  onRejected: (error: ArchiveError) => void = () => {},
): Promise<BackupCheck | undefined> {
  try {
    return (await openCheck(archive, id)).check;
  } catch (error) {
    if (!UNREADABLE.some((kind) => isArchiveError(error, kind))) throw error;
    onRejected(error as ArchiveError);
    return undefined;
  }
}

/** Removes backups. Their manifests are removed first, so that an interruption leaves no backup without its parts. */
export async function removeBackups(store: ArchiveStore, ids: readonly string[]): Promise<void> {
  await store.remove(ids.map(manifestName));
  await store.remove(ids.flatMap((id) => [referencesName(id), checkName(id)]));
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
