/** Messages between an instance and its backup agent, a child process. */
import type { BackupConfig } from '@greenroom/backup/settings';
import type { ConfigSource } from '@greenroom/config';
import type { ProjectToRun } from '@greenroom/project';
import type { StorageConfig } from '@greenroom/storage/content-store';
import type { PendingContent } from '../content-copies.ts';

/** The instance that is backed up. */
export interface AgentOptions {
  backup: BackupConfig;
  storage: StorageConfig;
  /** Absolute path. */
  dataFolder: string;
  /** URL of the superuser of the embedded PostgreSQL. */
  databaseUrl: string;
  /** URL of the owner of the database. */
  ownerUrl: string;
  /** For the processes that create and verify backups. */
  source: ConfigSource;
  project: Pick<ProjectToRun, 'project' | 'name'> | undefined;
}

/** Messages to the agent. `close`: store the rest, then exit. */
export type ToAgent =
  | { type: 'start'; options: AgentOptions }
  | { type: 'taken'; taken: ReturnType<PendingContent['take']> }
  | { type: 'close' };

/** Messages of the agent. `take` is answered by `taken`. */
export type FromAgent =
  | { type: 'take' }
  | { type: 'caught-up'; epoch: number }
  | { type: 'settled'; versions: readonly string[] }
  | { type: 'status'; status: AgentStatus }
  | {
      type: 'log';
      level: 'info' | 'warn' | 'error';
      details: Readonly<Record<string, unknown>>;
      text: string;
    };

/** Work on complete backups. */
export type MaintenanceKind = 'backup' | 'verification' | 'pruning';

/** The state of an archive. Times are those of the clock of the machine. */
export interface StoredTimes {
  /** Whether the archive can be written, and the log is streamed from the server. */
  isArchiveReachable: boolean;
  isStreaming: boolean;
  /** All commits, and the content of all objects, until these times are stored. */
  logUntil: Date | undefined;
  contentUntil: Date | undefined;
  /** Start of the newest backup, and of the newest one that passed its verification. */
  newestBackup: Date | undefined;
  verifiedBackup: Date | undefined;
}

/** Work since the start of the agent. */
export interface WorkCounts {
  running: MaintenanceKind | undefined;
  /** Parts of the log that the server removed before they were stored. */
  gaps: number;
  succeeded: Readonly<Record<MaintenanceKind, number>>;
  failed: Readonly<Record<MaintenanceKind, number>>;
}

/** The state of the agent. */
export type AgentStatus = StoredTimes & WorkCounts;

export const INITIAL_STATUS: AgentStatus = {
  isArchiveReachable: false,
  isStreaming: false,
  logUntil: undefined,
  contentUntil: undefined,
  newestBackup: undefined,
  verifiedBackup: undefined,
  running: undefined,
  gaps: 0,
  succeeded: { backup: 0, verification: 0, pruning: 0 },
  failed: { backup: 0, verification: 0, pruning: 0 },
};
