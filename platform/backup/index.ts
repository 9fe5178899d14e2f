/** Backups of an instance in an encrypted archive, and their restore. */
export type { Archive } from './archive/archive.ts';
export { type ListedBackup, listBackups, readManifest } from './archive/backups/backups.ts';
export { writeCheck } from './archive/backups/check-result.ts';
export type { LogicalManifest, Manifest } from './archive/backups/manifest.ts';
export { isOfLineage } from './archive/backups/manifest.ts';
export { type ChunkReader, createChunkReader } from './archive/chunks/chunk-reader.ts';
export { readRound } from './archive/content/round.ts';
export { readDescription } from './archive/description.ts';
export { generateIdentity } from './archive/keys/recipient.ts';
export { acquireLease, type Lease } from './archive/lease/lease.ts';
export { withMaxRate } from './archive/max-rate.ts';
export { type ArchiveSecrets, openArchive, openOrCreateArchive } from './archive/open-archive.ts';
export type { ContentRow, ContentSource } from './content/backup-content.ts';
export {
  type ContentEntry,
  contentIndexOf,
  isContentVersion,
  MAX_METADATA_BYTES,
  parseContentEntry,
} from './content/content-index.ts';
export { type ContentTarget, entriesOf, restoreContent, writeEntry } from './content/restore-content.ts';
export { entriesOfRounds, listRounds } from './content/rounds.ts';
export {
  type ContentReport,
  type ContentRows,
  ContentShipper,
  type PendingEntry,
  type PendingList,
} from './continuous/content-shipper.ts';
export { requireFreeName } from './create/backup-name.ts';
export { type BackupProgress, createBackup } from './create/create-backup.ts';
export { compareInstances, type InstanceIdentity, requireOwnArchive } from './create/same-instance.ts';
export { physicalSource } from './database/physical-source.ts';
export { ArchiveError, isArchiveError } from './errors.ts';
export { restoreFolderFiles } from './folder-files/restore-files.ts';
export { logicalSource } from './logical/logical-source.ts';
export { restoreLogical } from './logical/restore-logical.ts';
export { basesOf, restorableRanges } from './restore/bases.ts';
export { estimateRestore } from './restore/measure.ts';
export { type RecoveryProgress, restoreFiles } from './restore/restore-backup.ts';
export { planOwnState, planRestore, type RequestedState, type RestorePlan } from './restore/restore-plan.ts';
export { prune } from './retention/prune.ts';
export type { ArchiveStore } from './store/archive-store.ts';
export { openStore } from './store/open-store.ts';
export { requireOutside } from './store/require-outside.ts';
export { checkArchive } from './verify/check-archive.ts';
export { removeDamagedChunks } from './verify/remove-damaged.ts';
export { ArchivedLog } from './wal/archived-log.ts';
export { readHead } from './wal/head.ts';
export { readLogMark } from './wal/log-mark.ts';
export { findOpenedHead } from './wal/opened-head.ts';
export type { LogLineage } from './wal/pieces.ts';
export { LogShipper, type ShipperReport } from './wal/shipper.ts';
export { readStoredLogs } from './wal/stored-logs.ts';
