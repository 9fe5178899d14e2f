/** Reports the continuous backup of an instance, in `/health` and in `/metrics`. */
import { Gauge, Registry } from 'prom-client';
import type { AgentStatus } from './agent/protocol.ts';
import type { PendingContent } from './content-copies.ts';

const SECOND_MS = 1000;
/** A lag up to this multiple of the setting, and this time, is normal. */
const LAG_TOLERANCE = 3;
const GRACE_MS = 30_000;

/** The continuous backup as reported by `/health`. */
export interface BackupState {
  /**
   * - `starting`: nothing is stored since the start
   * - `ok`: everything older than the lag is stored
   * - `behind`: the archive is reachable, but more is missing
   * - `failing`: the archive cannot be written
   */
  state: 'starting' | 'ok' | 'behind' | 'failing';
  /** Age of the newest state that can be restored, in seconds. */
  lagSeconds: number | undefined;
  /** Start of the newest complete backup, and of the newest one that passed its verification, in ISO 8601. */
  newestBackup: string | undefined;
  verifiedBackup: string | undefined;
}

/** @param maxLagMs the lag of the settings */
export function backupState(
  status: AgentStatus,
  { maxLagMs, now, startedAt }: { maxLagMs: number; now: Date; startedAt: Date },
): BackupState {
  const lagMs = lagOf(status, now);
  const limitMs = LAG_TOLERANCE * maxLagMs + GRACE_MS;
  const isNew = now.getTime() - startedAt.getTime() < limitMs;
  return {
    state: stateOf(),
    lagSeconds: lagMs === undefined ? undefined : Math.round(lagMs / SECOND_MS),
    newestBackup: status.newestBackup?.toISOString(),
    verifiedBackup: status.verifiedBackup?.toISOString(),
  };

  function stateOf(): BackupState['state'] {
    if (lagMs !== undefined && lagMs <= limitMs && status.isArchiveReachable) return 'ok';
    if (isNew && lagMs === undefined) return 'starting';
    return status.isArchiveReachable ? 'behind' : 'failing';
  }
}

/** Returns the age of the newest time until which log and content are stored. */
function lagOf({ logUntil, contentUntil }: AgentStatus, now: Date): number | undefined {
  if (logUntil === undefined || contentUntil === undefined) return undefined;
  return Math.max(0, now.getTime() - Math.min(logUntil.getTime(), contentUntil.getTime()));
}

/** Returns a registry whose gauges read the state when they are scraped. */
export function backupMetrics(status: () => AgentStatus, pending: Pick<PendingContent, 'counts'>): Registry {
  const registry = new Registry();
  const registers = [registry];
  const gauge = (name: string, help: string, read: () => number | undefined) =>
    new Gauge({
      name: `greenroom_backup_${name}`,
      help,
      registers,
      collect() {
        const value = read();
        if (value === undefined) this.remove();
        else this.set(value);
      },
    });
  const seconds = (time: Date | undefined) => time && time.getTime() / SECOND_MS;
  gauge('archive_up', 'Whether the archive can be written', () => Number(status().isArchiveReachable));
  gauge('lag_seconds', 'Age of the newest state that can be restored', () => {
    const lagMs = lagOf(status(), new Date());
    return lagMs === undefined ? undefined : lagMs / SECOND_MS;
  });
  gauge('newest_timestamp_seconds', 'Start of the newest complete backup, in seconds since 1970', () =>
    seconds(status().newestBackup),
  );
  gauge('verified_timestamp_seconds', 'Start of the newest backup that passed its verification', () =>
    seconds(status().verifiedBackup),
  );
  gauge(
    'log_gaps',
    'Parts of the log that were removed before they were stored, since the start',
    () => status().gaps,
  );
  gauge('waiting_objects', 'Objects whose content is not stored yet', () => pending.counts.waiting);
  gauge('held_objects', 'Deleted objects whose content waits to be stored', () => pending.counts.held);
  addWork(registry, status);
  return registry;
}

function addWork(registry: Registry, status: () => AgentStatus): void {
  new Gauge({
    name: 'greenroom_backup_work',
    help: 'Backups, verifications and prunings since the start, by outcome',
    labelNames: ['kind', 'outcome'] as const,
    registers: [registry],
    collect() {
      const { succeeded, failed } = status();
      for (const [kind, count] of Object.entries(succeeded)) this.set({ kind, outcome: 'succeeded' }, count);
      for (const [kind, count] of Object.entries(failed)) this.set({ kind, outcome: 'failed' }, count);
    },
  });
}
