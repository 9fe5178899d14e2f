/**
 * Restores the content of objects, and makes the rows of a restored database fit to it, as the owner of the database: tables may
 * have triggers of the project, and those must not run with the rights of a superuser.
 */
import {
  type Archive,
  type ChunkReader,
  type ContentEntry,
  type ContentTarget,
  createChunkReader,
  entriesOf,
  entriesOfRounds,
  isContentVersion,
  listRounds,
  type Manifest,
  restoreContent,
  writeEntry,
} from '@greenroom/backup';
import { NEUTRAL_SETTINGS, openSession, type Session, type Statement } from '@greenroom/postgres';
import pg from 'pg';

const ROWS = 5000;

/** Result of {@link restoreObjects}. */
export interface RestoredObjects {
  count: number;
  bytes: number;
  /** Objects that were overwritten while the backup was made; they have their new content. */
  replaced: number;
  /** Objects whose content is not in the archive; their rows are removed. */
  removed: number;
  /** Objects without content whose rows a foreign key or a trigger of the project keeps. */
  kept: number;
}

/** Options of {@link restoreObjects}. */
interface RestoreObjectsOptions {
  archive: Archive;
  manifest: Manifest;
  /**
   * Whether newer content of the backup may take the place of missing content, as in a restore of a backup itself. In a
   * restore to a time, nothing appears that was written later.
   */
  allowsNewer: boolean;
  /** URL of the owner of the restored database. */
  url: string;
  target: ContentTarget;
  signal?: AbortSignal | undefined;
}

/** Writes the content of all rows. A row whose content is not in the archive is changed to newer content, or removed. */
export async function restoreObjects(options: RestoreObjectsOptions): Promise<RestoredObjects> {
  const { archive, allowsNewer, url, target } = options;
  const reader = createChunkReader(archive);
  const session = await openSession({ url, applicationName: 'greenroom restore' });
  try {
    const wanted = await versionsOf(session);
    const outcome = { count: 0, bytes: 0, replaced: 0, removed: 0, kept: 0 };
    const newer = new Map<string, ContentEntry>();
    await restoreWanted(wanted, {
      ...options,
      reader,
      onOther: allowsNewer ? (entry) => newer.set(nameOf(entry), entry) : undefined,
      onRestored(bytes) {
        outcome.count += 1;
        outcome.bytes += bytes;
      },
    });
    for (const version of wanted) {
      const settled = await settleRow(session, version, newer);
      outcome[settled.kind] += 1;
      if (settled.kind === 'replaced') await writeEntry(settled.entry, { reader, target });
    }
    return outcome;
  } finally {
    await session.close();
  }
}

interface WantedOptions extends RestoreObjectsOptions {
  reader: ChunkReader;
  /** Called with content of the backup that no row names. */
  onOther: ((entry: ContentEntry) => void) | undefined;
  onRestored: (bytes: number) => void;
}

/** Restores content of the backup, then of the rounds after it, then of earlier ones, until none is wanted. */
async function restoreWanted(wanted: Set<string>, { onOther, ...options }: WantedOptions): Promise<void> {
  const { archive, manifest, reader } = options;
  await restoreContent({ ...options, wanted, entries: entriesOf(reader, manifest.indexes), onOther });
  if (wanted.size === 0 || manifest.kind !== 'physical') return;
  const { after, before } = await listRounds(archive.store, manifest);
  const entries = entriesOfRounds(archive, [...after, ...before.toReversed()], wanted);
  await restoreContent({ ...options, wanted, entries });
}

async function versionsOf(session: Session): Promise<Set<string>> {
  const versions = new Set<string>();
  await session.batch([
    { text: 'begin read only' },
    ...NEUTRAL_SETTINGS,
    {
      text: 'declare versions no scroll cursor for select version from storage.objects where version is not null',
    },
  ]);
  for (;;) {
    const [rows = []] = await session.batch([{ text: `fetch ${ROWS} from versions` }]);
    for (const { version } of rows) if (isContentVersion(version as string)) versions.add(version as string);
    if (rows.length === 0) break;
  }
  await session.batch([{ text: 'commit' }]);
  return versions;
}

/** Result for a row whose content is not in the archive. */
type RowOutcome = { kind: 'replaced'; entry: ContentEntry } | { kind: 'removed' } | { kind: 'kept' };

/** Changes the row to newer content, or removes it. A foreign key or a trigger of the project may forbid both. */
async function settleRow(
  session: Session,
  version: string,
  newer: ReadonlyMap<string, ContentEntry>,
): Promise<RowOutcome> {
  const find = {
    text: 'select bucket_id as bucket, name as key from storage.objects where version = $1',
    values: [version],
  };
  const [[row] = []] = await session.batch([find]);
  const entry = row && newer.get(nameOf(row as { bucket: string; key: string }));
  if (entry !== undefined) {
    const update = {
      text: 'update storage.objects set version = $2, metadata = $3 where version = $1',
      values: [version, entry.version, JSON.stringify(entry.metadata ?? null)],
    };
    return (await isAllowed(session, [update])) ? { kind: 'replaced', entry } : { kind: 'kept' };
  }
  const removal = [
    { text: `select set_config('storage.allow_delete_query', 'true', true)` },
    { text: 'delete from storage.objects where version = $1', values: [version] },
  ];
  return { kind: (await isAllowed(session, removal)) ? 'removed' : 'kept' };
}

/** Runs statements as one transaction; returns false if the database refuses them. */
async function isAllowed(session: Session, statements: readonly Statement[]): Promise<boolean> {
  try {
    await session.batch([{ text: 'begin' }, ...NEUTRAL_SETTINGS, ...statements, { text: 'commit' }]);
    return true;
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    await session.batch([{ text: 'rollback' }]);
    return false;
  }
}

function nameOf({ bucket, key }: { bucket: string; key: string }): string {
  return JSON.stringify([bucket, key]);
}
