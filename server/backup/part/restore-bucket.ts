/** Copies objects of a backup into a new bucket of the live instance. */
import {
  type Archive,
  type ArchiveError,
  type ChunkReader,
  type ContentEntry,
  createChunkReader,
  entriesOf,
  entriesOfRounds,
  isArchiveError,
  listRounds,
  type Manifest,
  restoreContent,
} from '@greenroom/backup';
import type { Database, Session } from '@greenroom/postgres';
import {
  type FormerObject,
  type RestoredBucket,
  selectFormerObject,
} from '@greenroom/storage/restored-bucket';
import { objectGroups, type SelectedBucket } from './find-bucket.ts';

/** Result of {@link restoreBucket}. */
export interface RestoredObjects {
  count: number;
  bytes: number;
  /** Objects that the bucket had already. */
  existing: number;
  /** Objects that were not restored. */
  missing: number;
}

/** Options of {@link restoreBucket}. */
interface RestoreBucketOptions {
  selected: SelectedBucket;
  archive: Archive;
  manifest: Manifest;
  /** The restored backup, as its superuser: a connection that lists objects, and others that read rows meanwhile. */
  scratch: Session;
  rows: Database;
  target: RestoredBucket;
  /** Called with the key of each object that is not restored, and the reason. */
  onMissing: (key: string, reason: string) => void;
  signal: AbortSignal;
}

/**
 * Restores all objects that the bucket does not have. Objects without content, or with damaged content, are left out.
 * Rejects with errors of either instance; objects that were restored until then stay.
 */
export async function restoreBucket(options: RestoreBucketOptions): Promise<RestoredObjects> {
  const { archive, manifest, scratch, selected, onMissing } = options;
  const reader = createChunkReader(archive);
  const result: RestoredObjects = { count: 0, bytes: 0, existing: 0, missing: 0 };
  const onLeftOut = (key: string, reason: string) => {
    result.missing += 1;
    onMissing(key, reason);
  };
  const context = { ...options, reader, onMissing: onLeftOut };
  const onWithoutContent = (key: string) => onLeftOut(key, 'its row names no content');
  /** Objects that are not in the backup itself. */
  const later = new Map<string, string>();
  for await (const { index, keys } of objectGroups(scratch, { selected, onWithoutContent })) {
    const entries = entriesOf(reader, { [index]: manifest.indexes[index] ?? [] });
    const left = await restoreEntries(entries, keys, result, context);
    for (const version of left) later.set(version, keys.get(version) ?? '');
  }
  for (const version of await restoreFromRounds(later, result, context))
    onLeftOut(later.get(version) ?? '', 'the archive does not have its content');
  return result;
}

interface RestoreContext extends RestoreBucketOptions {
  reader: ChunkReader;
}

/** Restores content that was stored after the backup, or shortly before. Returns the versions that were not found. */
async function restoreFromRounds(
  keys: ReadonlyMap<string, string>,
  result: RestoredObjects,
  context: RestoreContext,
): Promise<ReadonlySet<string>> {
  const { archive, manifest } = context;
  const wanted = new Set(keys.keys());
  if (wanted.size === 0 || manifest.kind !== 'physical') return wanted;
  const { after, before } = await listRounds(archive.store, manifest);
  const entries = entriesOfRounds(archive, [...after, ...before.toReversed()], wanted);
  return restoreEntries(entries, keys, result, context, wanted);
}

/**
 * Restores the wanted entries. Returns the versions that were not found.
 * @param keys keys of objects by their versions
 */
async function restoreEntries(
  entries: AsyncIterable<ContentEntry>,
  keys: ReadonlyMap<string, string>,
  result: RestoredObjects,
  { reader, signal, target, onMissing, rows, selected }: RestoreContext,
  wanted = new Set(keys.keys()),
): Promise<ReadonlySet<string>> {
  await restoreContent({
    reader,
    entries,
    wanted,
    signal,
    target: {
      async has({ version }) {
        const exists = target.isContinued && (await target.hasKey(keys.get(version) ?? ''));
        if (exists) result.existing += 1;
        return exists;
      },
      async write(entry, content) {
        try {
          await target.write(await readRow(entry, { rows, selected }), content);
          result.count += 1;
          result.bytes += entry.size;
        } catch (error) {
          if (!isDamage(error)) throw error;
          onMissing(keys.get(entry.version) ?? '', error.message);
        }
      },
    },
  });
  return wanted;
}

/** Other objects can be restored in spite of these errors. */
function isDamage(error: unknown): error is ArchiveError {
  return isArchiveError(error, 'damaged') || isArchiveError(error, 'missing');
}

async function readRow(
  { version }: ContentEntry,
  { rows, selected }: Pick<RestoreBucketOptions, 'rows' | 'selected'>,
): Promise<FormerObject> {
  const [row] = await rows.query<FormerObject>(selectFormerObject(selected.bucket, version));
  if (row === undefined)
    throw new Error(`the object with version ${version} is not in the restored database`);
  return row;
}
