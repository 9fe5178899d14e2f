/**
 * Manifests of backups, `backups/<id>.json`. A manifest is in clear, so that listing and pruning need no key; names of
 * files are only in the encrypted indexes. Its `seal` is a blob with its checksum: readers with a key notice changes.
 */
import { z } from 'zod';
import { ArchiveError } from '../../errors.ts';
import type { Archive } from '../archive.ts';
import { decodeChecked } from '../checked-json.ts';
import { BACKUP_ID, BACKUP_NAME, LOG_POSITION, manifestName } from '../layout.ts';
import { encodeSealed, hasSeal } from '../sealed-json.ts';

const count = z.int().nonnegative();
const time = z.iso.datetime();
const digest = z.string().regex(/^[0-9a-f]{64}$/);

const common = {
  id: z.string().regex(BACKUP_ID),
  /** Given by the operator; unique in the archive. */
  name: z.string().regex(BACKUP_NAME).optional(),
  /** The id of the instance; absent in manifests of earlier versions. */
  instanceId: z.uuid().optional(),
  /** Begin and end of the run, by the clock of the process. */
  createdAt: time,
  finishedAt: time,
  greenroomVersion: z.string(),
  postgresVersion: z.string(),
  databaseBytes: count,
  databaseFiles: count,
  contentBytes: count,
  contentCount: count,
  /** Bytes that this run added to the archive. */
  storedBytes: count,
  /** Name of an index, e.g. `database`, `content/3f`, `settings` → ids of its chunks. */
  indexes: z.record(z.string(), z.array(digest)),
  /** The list `backups/<id>.references`. */
  references: z.object({ count, sha256: digest }),
};

const manifestSchema = z.discriminatedUnion('kind', [
  z.object({
    ...common,
    /** Files of a cluster. */
    kind: z.literal('physical'),
    systemId: z.string().regex(/^\d{1,20}$/),
    timeline: z.int().positive(),
    /** A restore needs the log from `startLsn` to `stopLsn`; the state is that of `stopTime`, by the database's clock. */
    startLsn: z.string().regex(LOG_POSITION),
    stopLsn: z.string().regex(LOG_POSITION),
    stopTime: time,
    /** Whether that log is part of the backup (files in `pg_wal`), or in the pieces of the archive. */
    wal: z.enum(['contained', 'archived']),
  }),
  z.object({
    ...common,
    /** Statements and rows. */
    kind: z.literal('logical'),
    /** Time of the snapshot. */
    stopTime: time,
  }),
]);

/** The content of a manifest. */
export type Manifest = z.infer<typeof manifestSchema>;

/** Manifests that a position of the log belongs to. */
export type PhysicalManifest = Extract<Manifest, { kind: 'physical' }>;

/** Whether a backup is one of the files of a cluster whose log has this lineage. */
export function isOfLineage(
  manifest: Manifest,
  { systemId, timeline }: Pick<PhysicalManifest, 'systemId' | 'timeline'>,
): manifest is PhysicalManifest {
  return manifest.kind === 'physical' && manifest.systemId === systemId && manifest.timeline === timeline;
}

/** Manifests of statements and rows. */
export type LogicalManifest = Extract<Manifest, { kind: 'logical' }>;

/** Returns the bytes of a manifest. */
export async function encodeManifest(archive: Archive, manifest: Manifest): Promise<Buffer> {
  return encodeSealed(archive, manifestName(manifest.id), manifestSchema.parse(manifest));
}

/** Parses a manifest without a key. Throws kind `damaged`, or `refused` for a newer format. */
export function decodeManifest(id: string, bytes: Buffer, location: string): Manifest {
  const name = `${manifestName(id)} in ${location}`;
  const manifest = decodeChecked(name, bytes, manifestSchema);
  if (manifest.id !== id)
    throw new ArchiveError('damaged', `${name} is damaged: it belongs to ${manifest.id}`);
  return manifest;
}

/** Parses a manifest and checks its seal. Rejects as `decodeManifest`, and with kind `wrongKey`. */
export async function openManifest(archive: Archive, id: string, bytes: Buffer): Promise<Manifest> {
  const name = manifestName(id);
  const manifest = decodeManifest(id, bytes, archive.store.location);
  if (await hasSeal(archive, name, bytes)) return manifest;
  throw new ArchiveError('damaged', `${name} in ${archive.store.location} is damaged: it has no seal`);
}
