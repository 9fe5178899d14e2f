/**
 * Creates complete backups by a schedule, verifies each, and removes old ones. Backups and verifications run in a process
 * that ends afterwards; pruning runs in this one, which has the lease of the log.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Archive,
  isOfLineage,
  type Lease,
  type ListedBackup,
  type LogLineage,
  listBackups,
  prune,
} from '@greenroom/backup';
import type { BackupConfig } from '@greenroom/backup/settings';
import { type MaintenanceState, nextTask, type Task } from './next-task.ts';
import type { MaintenanceKind } from './protocol.ts';

const FIRST_RETRY_MS = 60_000;
const MAX_RETRY_MS = 3_600_000;
/** Longest sleep, because the clock of the machine may change. */
const MAX_SLEEP_MS = 60_000;

/** A change that the owner reacts to. */
export type MaintenanceReport =
  | { type: 'started'; kind: MaintenanceKind; reason: string }
  | { type: 'succeeded'; kind: MaintenanceKind; text: string }
  | { type: 'failed'; kind: MaintenanceKind; reason: Error };

/** Options of {@link Maintenance}. */
interface MaintenanceOptions {
  archive: Archive;
  lineage: LogLineage;
  /** The lease of the log. */
  lease: Lease;
  /** Id of the instance. */
  holder: string;
  settings: Pick<BackupConfig, 'schedule' | 'verifies' | 'keep' | 'keepLogDays'>;
  /** Whether the log after the newest backup has a gap. */
  hasGap: boolean;
  /** Creates or verifies a backup in another process. Resolves with a sentence about the result. */
  run(task: Exclude<Task, { kind: 'wait' }>, signal: AbortSignal): Promise<string>;
  /** Runs work while no content is stored. */
  betweenRounds<T>(work: () => Promise<T>): Promise<T>;
  onReport(report: MaintenanceReport): void;
}

/** Starts on construction. Errors never reach the caller; it receives reports. */
export class Maintenance {
  readonly #options: MaintenanceOptions;
  readonly #closed = new AbortController();
  readonly #loop: Promise<void>;
  /** The backups of the log that is being shipped, oldest first. */
  #backups: readonly ListedBackup[] = [];
  #hasGap: boolean;
  #failures = 0;
  #pausedUntil: Date | undefined;
  /** Ends the current sleep. */
  #wake = new AbortController();

  constructor(options: MaintenanceOptions) {
    this.#options = options;
    this.#hasGap = options.hasGap;
    this.#loop = this.#run();
  }

  get backups(): readonly ListedBackup[] {
    return this.#backups;
  }

  /** A part of the log is missing, so a backup is created at once. */
  reportGap(): void {
    this.#hasGap = true;
    this.#wake.abort();
  }

  /** The archive can be written again, so work that failed meanwhile does not wait longer. */
  resume(): void {
    this.#failures = 0;
    this.#pausedUntil = undefined;
    this.#wake.abort();
  }

  /** Interrupts the work; a backup continues at the next start. */
  async close(): Promise<void> {
    this.#closed.abort();
    await this.#loop;
  }

  async #run(): Promise<void> {
    const { signal } = this.#closed;
    let task = await this.#decideOnListed();
    while (!signal.aborted) {
      if (task.kind === 'wait') await this.#sleepUntil(task.until);
      else await this.#perform(task);
      task = task.kind === 'wait' ? this.#decide() : await this.#decideOnListed();
      // A backup that was created by hand counts.
      if (task.kind === 'backup') task = await this.#decideOnListed();
    }
  }

  /** Lists the backups first. */
  async #decideOnListed(): Promise<Task> {
    const { archive, lineage } = this.#options;
    try {
      const { backups } = await listBackups(archive.store, { archive });
      this.#backups = backups.filter(({ manifest }) => isOfLineage(manifest, lineage));
    } catch (error) {
      this.#fail('backup', error as Error);
    }
    return this.#decide();
  }

  #decide(): Task {
    const { settings } = this.#options;
    const newest = this.#backups.at(-1);
    const state: MaintenanceState = {
      newest: newest && {
        id: newest.id,
        createdAt: new Date(newest.manifest.createdAt),
        isChecked: newest.check !== undefined,
      },
      hasGap: this.#hasGap,
      schedule: settings.schedule,
      verifies: settings.verifies,
      pausedUntil: this.#pausedUntil,
    };
    return nextTask(state, new Date());
  }

  async #perform(task: Exclude<Task, { kind: 'wait' }>): Promise<void> {
    const { run, onReport } = this.#options;
    const { kind } = task;
    onReport({ type: 'started', kind, reason: task.kind === 'backup' ? task.reason : task.id });
    // A gap that is reported meanwhile may be after the backup.
    if (task.kind === 'backup') this.#hasGap = false;
    try {
      const text = await run(task, this.#closed.signal);
      this.#failures = 0;
      onReport({ type: 'succeeded', kind, text });
    } catch (error) {
      if (task.kind === 'backup' && task.reason === 'gap') this.#hasGap = true;
      if (!this.#closed.signal.aborted) this.#fail(kind, error as Error);
      return;
    }
    if (task.kind === 'backup') await this.#prune();
  }

  async #prune(): Promise<void> {
    const { archive, lease, holder, settings, betweenRounds, onReport } = this.#options;
    onReport({ type: 'started', kind: 'pruning', reason: 'backup' });
    try {
      const { removedBackups, removedBytes } = await betweenRounds(() =>
        prune(archive.store, {
          policy: settings.keep,
          logDays: settings.keepLogDays,
          holder,
          logLease: lease,
        }),
      );
      const text = `${removedBackups.length} old backups and ${removedBytes} bytes were removed from the archive`;
      onReport({ type: 'succeeded', kind: 'pruning', text });
    } catch (error) {
      // The next backup is followed by another attempt.
      onReport({ type: 'failed', kind: 'pruning', reason: error as Error });
    }
  }

  #fail(kind: MaintenanceKind, reason: Error): void {
    const pauseMs = Math.min(FIRST_RETRY_MS * 2 ** this.#failures, MAX_RETRY_MS);
    this.#failures += 1;
    this.#pausedUntil = new Date(Date.now() + pauseMs);
    this.#options.onReport({ type: 'failed', kind, reason });
  }

  async #sleepUntil(time: Date | undefined): Promise<void> {
    this.#wake = new AbortController();
    const untilMs = time === undefined ? MAX_SLEEP_MS : time.getTime() - Date.now();
    const signal = AbortSignal.any([this.#wake.signal, this.#closed.signal]);
    await sleep(Math.min(Math.max(0, untilMs), MAX_SLEEP_MS), undefined, { signal }).catch(() => undefined);
  }
}
