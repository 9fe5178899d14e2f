/**
 * Backs up a running instance into an opened archive. The log is shipped from the start; content of objects and complete
 * backups follow when the log is known. A session holds the lease of the log, and ends when the lease is lost or the log is
 * that of another database.
 */
import {
  type Archive,
  acquireLease,
  type ContentReport,
  type ContentRows,
  ContentShipper,
  type Lease,
  LogShipper,
  listBackups,
  openStore,
  type PendingList,
  readLogMark,
  requireOwnArchive,
  type ShipperReport,
} from '@greenroom/backup';
import { type Database, openDatabase } from '@greenroom/postgres';
import { openContentStore } from '@greenroom/storage/content-store';
import { BACKUP_SLOT } from '../../backup-slot.ts';
import { configuredSecrets } from '../archive-secrets.ts';
import { contentRows } from '../content-source.ts';
import { readInstanceIdentity } from '../instance-identity.ts';
import { openInstanceArchive } from '../open-instance-archive.ts';
import { watchArchive } from './archive-watch.ts';
import { Maintenance, type MaintenanceReport } from './maintenance.ts';
import { runMaintenanceTask } from './maintenance-task.ts';
import type { AgentOptions, StoredTimes } from './protocol.ts';
import { readStoredState } from './stored-state.ts';

const SECOND_MS = 1000;

/** A change in a session. */
export type SessionReport =
  | ({ of: 'log' } & ShipperReport)
  | ({ of: 'content' } & ContentReport)
  | ({ of: 'maintenance' } & MaintenanceReport);

/** Options of {@link openSession}. */
interface SessionOptions {
  agent: AgentOptions;
  pending: PendingList;
  /** Must not throw. */
  onReport(report: SessionReport): void;
}

interface SessionParts extends SessionOptions {
  archive: Archive;
  lease: Lease;
  holder: string;
  database: Database;
  rows: ContentRows;
  /** Releases the other parts. */
  resources: AsyncDisposableStack;
}

/** Opens the archive, and creates it if it does not exist. Rejects with an `ArchiveError`. */
export async function openSession(options: SessionOptions): Promise<BackupSession> {
  const { backup, databaseUrl, ownerUrl, dataFolder, storage } = options.agent;
  await using opened = new AsyncDisposableStack();
  const secrets = await configuredSecrets(backup);
  const store = await openStore(backup.url ?? '', backup.s3);
  opened.defer(() => store.close());
  const archive = await openInstanceArchive(store, secrets, dataFolder);
  const holder = `the instance in ${dataFolder}`;
  const lease = await acquireLease(store, 'log', { holder, purpose: 'the continuous backup' });
  opened.defer(() => lease.release());
  const identity = await readInstanceIdentity(databaseUrl, { isEmbedded: true });
  requireOwnArchive(await listBackups(store), identity);
  const database = openDatabase({ url: databaseUrl, max: 1, applicationName: 'greenroom backup' });
  opened.defer(() => database.close());
  const content = await openContentStore(storage, dataFolder);
  opened.defer(() => content.close());
  const rows = contentRows(ownerUrl, content);
  const resources = opened.move();
  return new BackupSession({ ...options, archive, lease, holder, database, rows, resources });
}

/** A session, which starts on construction. */
export class BackupSession {
  readonly #parts: SessionParts;
  readonly #log: LogShipper;
  readonly #ended = Promise.withResolvers<Error | undefined>();
  readonly #closing = new AbortController();
  /** Starts the parts below, when the log is known. */
  #starting: Promise<void> | undefined;
  #content: ContentShipper | undefined;
  #maintenance: Maintenance | undefined;
  /** Whether a part of the log was reported as missing before maintenance started. */
  #hasGap = false;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    const { archive, lease, database, agent } = parts;
    lease.lost.addEventListener('abort', () => this.#ended.resolve(lease.lost.reason), { once: true });
    const onChange = (reason: Error) => this.#ended.resolve(reason);
    void watchArchive({ archive, signal: this.#closing.signal, onChange });
    this.#log = new LogShipper({
      archive,
      url: agent.databaseUrl,
      slot: BACKUP_SLOT,
      lagMs: this.#lagMs,
      readMark: () => readLogMark(database),
      contentTime: () => this.#content?.stored?.time,
      onReport: (report) => this.#onLogReport(report),
    });
  }

  /** Resolves with the reason when the session cannot go on, and with undefined after `close`. */
  get ended(): Promise<Error | undefined> {
    return this.#ended.promise;
  }

  /** The state of the archive. */
  get stored(): StoredTimes {
    const { archive, connection, coveredTime } = this.#log.status;
    const backups = this.#maintenance?.backups ?? [];
    const verified = backups.findLast(({ check }) => check?.problems.length === 0);
    const newest = backups.at(-1);
    return {
      isArchiveReachable: archive === 'reachable' && !this.#content?.isAway,
      isStreaming: connection === 'streaming',
      logUntil: coveredTime,
      contentUntil: this.#content?.stored?.time,
      newestBackup: newest && new Date(newest.manifest.createdAt),
      verifiedBackup: verified && new Date(verified.manifest.createdAt),
    };
  }

  /** Stores the rest of the log and of the content, unless the archive is away. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#starting;
    await this.#maintenance?.close();
    await this.#content?.close();
    await this.#log.close();
    await this.#parts.resources.disposeAsync();
    this.#ended.resolve(undefined);
  }

  get #lagMs(): number {
    return this.#parts.agent.backup.lagSeconds * SECOND_MS;
  }

  #onLogReport(report: ShipperReport): void {
    this.#parts.onReport({ of: 'log', ...report });
    if (report.type === 'reachable') this.#maintenance?.resume();
    if (report.type === 'stopped') this.#ended.resolve(report.reason);
    if (report.type === 'gap') {
      this.#hasGap = true;
      this.#maintenance?.reportGap();
    }
    if (report.type === 'streaming')
      this.#starting ??= this.#start().catch((error) => this.#ended.resolve(error));
  }

  /** Starts the parts that belong to a known log. */
  async #start(): Promise<void> {
    const { agent, archive, lease, holder, pending, rows, database, onReport } = this.#parts;
    const { lineage, position } = this.#log.status;
    if (lineage === undefined) return;
    const { hasGap, contentUntil } = await readStoredState(archive, lineage, position);
    if (this.#closing.signal.aborted) return;
    const content = new ContentShipper({
      archive,
      lineage,
      pending,
      rows,
      storedUntil: contentUntil,
      lagMs: this.#lagMs,
      readMark: () => readLogMark(database),
      onReport: (report) => {
        onReport({ of: 'content', ...report });
        if (report.type === 'reachable') this.#maintenance?.resume();
      },
    });
    this.#content = content;
    this.#maintenance = new Maintenance({
      archive,
      lineage,
      lease,
      holder,
      // A process that only writes cannot restore.
      settings: { ...agent.backup, verifies: agent.backup.verifies && archive.canRead },
      hasGap: hasGap || this.#hasGap,
      run: (task, signal) =>
        runMaintenanceTask({ task, options: agent, archiveId: archive.description.id }, signal),
      betweenRounds: (work) => content.betweenRounds(work),
      onReport: (report) => onReport({ of: 'maintenance', ...report }),
    });
  }
}
