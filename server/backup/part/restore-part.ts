/** Restores tables and buckets of a backup into a live instance, under other names. */
import { join, resolve } from 'node:path';
import { openDatabase } from '@greenroom/postgres';
import { type CopySession, openCopySession } from '@greenroom/postgres/copy';
import { openContentStore } from '@greenroom/storage/content-store';
import { openRestoredBucket } from '@greenroom/storage/restored-bucket';
import { loadOrCreateKeys } from '../../instance-keys.ts';
import { findBucket, type SelectedBucket } from './find-bucket.ts';
import { findTable } from './find-table.ts';
import { type RestoredObjects, restoreBucket } from './restore-bucket.ts';
import { type RestoredTable, restoreTables, type SelectedTable } from './restore-tables.ts';
import { restoredBucket } from './restored-names.ts';
import { type ScratchOptions, withScratchDatabase } from './scratch-database.ts';
import type { Selection } from './selection.ts';

/** Objects that are restored at the same time. */
const CONNECTIONS = 4;
const SUFFIX = '.restoring-part';
const APPLICATION = 'greenroom restore';

/** URLs of the live database. */
interface LiveUrls {
  owner: string;
  admin: string;
}

/** Options of {@link restorePart}. */
interface RestorePartOptions extends Omit<ScratchOptions, 'folder'> {
  selections: readonly Selection[];
  /** Time of the state, ISO 8601. */
  time: string;
  /** Runs work with the live database, whether the instance runs or not. */
  withLiveDatabase: <T>(work: (urls: LiveUrls) => Promise<T>) => Promise<T>;
  /** Called with the key of each object that is not restored, and the reason. */
  onMissing: (bucket: string, key: string, reason: string) => void;
}

/** Restored objects, the bucket in the backup, and the new one. */
export interface RestoredPartOfBucket extends RestoredObjects {
  selected: SelectedBucket;
  id: string;
}

/** Result of {@link restorePart}. */
interface RestoredPart {
  tables: RestoredTable[];
  buckets: RestoredPartOfBucket[];
}

/** Parts that were found in the backup. */
interface FoundParts {
  tables: SelectedTable[];
  buckets: SelectedBucket[];
}

/**
 * Restores first the objects, then all tables in one transaction. After an error, no table is restored; a bucket has the
 * objects that were restored until then, and the next call with the same backup adds the others.
 */
export function restorePart(options: RestorePartOptions): Promise<RestoredPart> {
  const folder = resolve(options.config.dataDirectory) + SUFFIX;
  return withScratchDatabase({ ...options, folder }, async (url) => {
    const scratch = await openCopySession(url, APPLICATION);
    try {
      const found = await findParts(scratch, options.selections);
      return await options.withLiveDatabase(async (urls) => {
        const live = { ...options, scratch, scratchUrl: url, urls };
        const buckets = await restoreBuckets(found.buckets, live);
        return { buckets, tables: await restoreFoundTables(found.tables, live) };
      });
    } finally {
      await scratch.close();
    }
  });
}

/** Finds all parts before anything is changed. */
async function findParts(scratch: CopySession, selections: readonly Selection[]): Promise<FoundParts> {
  const found: FoundParts = { tables: [], buckets: [] };
  for (const selection of selections) {
    if (selection.kind === 'bucket') found.buckets.push(await findBucket(scratch, selection));
    else found.tables.push({ selection, table: await findTable(scratch, selection) });
  }
  return found;
}

interface LiveOptions extends RestorePartOptions {
  scratch: CopySession;
  scratchUrl: string;
  urls: LiveUrls;
}

async function restoreFoundTables(
  tables: readonly SelectedTable[],
  options: LiveOptions,
): Promise<RestoredTable[]> {
  if (tables.length === 0) return [];
  const { scratch, urls, plan, time, onProgress, signal } = options;
  const { id } = plan.manifest;
  onProgress('  tables');
  const live = await openCopySession(urls.owner, APPLICATION);
  try {
    return await restoreTables({ tables, scratch, live, id, time, signal });
  } finally {
    await live.close();
  }
}

async function restoreBuckets(
  buckets: readonly SelectedBucket[],
  options: LiveOptions,
): Promise<RestoredPartOfBucket[]> {
  if (buckets.length === 0) return [];
  options.onProgress('  objects');
  const { config, scratchUrl, urls } = options;
  const dataFolder = resolve(config.dataDirectory);
  const { derivationSecret: secret } = await loadOrCreateKeys(join(dataFolder, 'keys.json'), config);
  await using opened = new AsyncDisposableStack();
  const store = await openContentStore(config.storage, dataFolder);
  opened.defer(() => store.close());
  const rows = openDatabase({ url: scratchUrl, max: CONNECTIONS, applicationName: APPLICATION });
  opened.defer(() => rows.close());
  const restored: RestoredPartOfBucket[] = [];
  for (const selected of buckets) {
    const id = restoredBucket(selected.bucket, options.time);
    const target = await openRestoredBucket({ databaseUrl: urls.owner, secret, store, id });
    const onMissing = (key: string, reason: string) => options.onMissing(selected.bucket, key, reason);
    const { manifest } = options.plan;
    const result = await restoreBucket({ ...options, manifest, selected, rows, target, onMissing }).finally(
      () => target.close(),
    );
    restored.push({ ...result, selected, id });
  }
  return restored;
}
