/** The continuous backup of a running instance. */
import { join, resolve } from 'node:path';
import type { Logger } from '@greenroom/log';
import type { ProjectToRun } from '@greenroom/project';
import type { ContentCopies } from '@greenroom/service';
import type { Registry } from 'prom-client';
import type { Backend } from '../backend.ts';
import type { Config } from '../settings.ts';
import { BackupAgent } from './agent/backup-agent.ts';
import { type BackupState, backupMetrics, backupState } from './backup-state.ts';
import { PendingContent } from './content-copies.ts';
import { HeldList } from './held-list.ts';

const SECOND_MS = 1000;
/** In the data folder. */
const HELD_LIST_FILE = 'held-content.ndjson';

/** A continuous backup. */
export interface ContinuousBackup {
  contentCopies: ContentCopies;
  metrics: Registry;
  /** Returns the state for `/health`. */
  state(): BackupState;
  /** Starts the agent: in the background, when the instance accepts requests. */
  start(): void;
  /** Stores the rest of the log and of the content. The database and the services must be open. */
  close(): Promise<void>;
}

/** The instance that is backed up. */
export interface BackedUp {
  config: Config;
  backend: Pick<Backend, 'adminDatabaseUrl' | 'ownDatabaseUrl' | 'admin' | 'embedded'>;
  project: ProjectToRun | undefined;
  log: Logger;
}

/** Prepares a continuous backup. */
export function openContinuousBackup({ config, backend, project, log }: BackedUp): ContinuousBackup {
  const heldList = new HeldList(join(config.dataDirectory, HELD_LIST_FILE), {
    onError: (error) =>
      log.warn({ err: error }, 'the list of deleted objects without a copy cannot be written'),
  });
  const pending = new PendingContent({ heldList });
  const { backup, storage, source } = config;
  const agent = new BackupAgent({
    agent: {
      backup,
      storage,
      source,
      dataFolder: resolve(config.dataDirectory),
      databaseUrl: backend.adminDatabaseUrl,
      ownerUrl: backend.ownDatabaseUrl,
      project: project && { project: project.project, name: project.name },
    },
    pending,
    log,
  });
  const startedAt = new Date();
  return {
    contentCopies: pending,
    metrics: backupMetrics(() => agent.status, pending),
    state: () => {
      const maxLagMs = backup.lagSeconds * SECOND_MS;
      return backupState(agent.status, { maxLagMs, now: new Date(), startedAt });
    },
    start: () => agent.start(),
    async close() {
      await agent.close();
      await pending.close();
    },
  };
}
