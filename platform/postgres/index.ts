/**
 * PostgreSQL, embedded or external: starting it, migrating it, and running statements in few round trips.
 */
export { failedStatementOf, runBatch, type Statement } from './batch.ts';
export {
  type ConnectionFailure,
  connectionFailure,
  isDatabaseUnavailable,
  isLostConnection,
} from './connection-failure.ts';
export { isQueueFull, type ShareHolder, shareKeyOf } from './connection-shares.ts';
export { type Database, type DatabaseOptions, openDatabase, type Transaction } from './database.ts';
export { checkEmbeddedBinaries, embeddedVersion } from './embedded/binaries.ts';
export { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded/cluster.ts';
export { readClusterOwner } from './embedded/cluster-directory.ts';
export { createClusterFolder } from './embedded/create-cluster-folder.ts';
export { createTemplate } from './embedded/create-template.ts';
export {
  type AddedExtensions,
  addExtensions,
  type ExtensionPlaces,
  listExtensions,
  removeExtension,
} from './embedded/extensions/manage.ts';
export { PLACEHOLDER_VERSION } from './embedded/extensions/placeholders.ts';
export { removeLeftOverServer } from './embedded/left-over-server.ts';
export { acceptsLoopback, withRequiredTls } from './embedded/network-access.ts';
export { type RecoveryTarget, recoverCluster } from './embedded/recover.ts';
export { lastCommitIn } from './embedded/recovery/commit-times.ts';
export { RecoveryError } from './embedded/recovery/recovery-log.ts';
export type { RunAs } from './embedded/run-as.ts';
export { checkExternalPostgres } from './external.ts';
export { quoteIdentifier, quoteLiteral } from './identifier.ts';
export { type LimitedResult, runLimited } from './limited-statement.ts';
export {
  type ChannelSubscriber,
  endWithTimeout,
  type ListenConnection,
  type Listener,
  listen,
  openListenConnection,
  type Subscription,
} from './listen.ts';
export { logLostConnection } from './log-lost-connection.ts';
export { lastMigrations, type MigrationSource, migrate, platformMigrations } from './migrate.ts';
export { NEUTRAL_SETTINGS } from './neutral-settings.ts';
export type { Read, ReadResult } from './pipeline/read.ts';
export { CONNECTION_TIMEOUT_MS, isConnectError, PoolTimeoutError } from './pool.ts';
export { createPoolList, type PoolList, type PoolUsage } from './pool-list.ts';
export { queryTexts, type TextResult } from './query-texts.ts';
export { cancelOnAbort } from './raw-batch/cancel.ts';
export type { CancelSignal } from './raw-batch/cancel-signal.ts';
export type { RawClient } from './raw-batch/client.ts';
export type { RawRow, ResultColumn } from './raw-batch/decode.ts';
export type { RawValue, ResultFormats } from './raw-batch/encode.ts';
export type { LargeRow } from './raw-batch/large-field.ts';
export type { RawResult, RawStatement, SegmentFailure, SegmentResult } from './raw-batch/statement.ts';
export { StatementLatency } from './raw-batch/statement-latency.ts';
export { runRawBatch } from './raw-batch.ts';
export { openRawPool, type RawPool } from './raw-pool.ts';
export { releaseMemory } from './release-memory.ts';
export { DamagedClusterError, startBaseBackup } from './replication/base-backup.ts';
export type { BackupPosition } from './replication/base-backup-query.ts';
export { createReplicationClient, type ReplicationClient } from './replication/client.ts';
export {
  createPhysicalSlot,
  dropSlot,
  type PhysicalStart,
  readPhysicalSlot,
  type SystemIdentity,
} from './replication/commands.ts';
export { type LogCopy, openLogCopy } from './replication/log-copy.ts';
export {
  formatLsn,
  parseLsn,
  SEGMENT_BYTES,
  segmentName,
  segmentStart,
} from './replication/lsn.ts';
export { openPhysicalStream } from './replication/physical-stream.ts';
export { readServerIdentity } from './replication/server-identity.ts';
export { ReplicationStream } from './replication/stream.ts';
export type { TarBlock } from './replication/tar-reader.ts';
export { type Lsn, POSTGRES_EPOCH_US } from './replication/wal-message.ts';
export { ensureRoleLogins, roleUrl } from './role-login.ts';
export { runAndRollBack } from './run-and-roll-back.ts';
export { type Notice, openSession, type Session } from './session.ts';
export { withSystemSearchPath } from './system-search-path.ts';
