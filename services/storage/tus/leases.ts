/**
 * Serialises the requests to an upload across all processes. A request holds a lease in the upload's row. A process
 * renews all of its leases with one statement; they expire when the process is killed. A new request asks the current
 * holder to release the lease, since that usually waits for a client that has disconnected. docs/decisions/020 explains
 * why this is not a PostgreSQL lock.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Statement } from '@greenroom/postgres';
import type { Locker } from '@tus/server';
import type { Context } from '../context.ts';
import { failure } from '../errors.ts';
import { parseUploadId } from './upload-id.ts';

/** Times in milliseconds. */
export interface LeaseTimes {
  /** A lease expires after this time without renewal. */
  leaseMs: number;
  renewMs: number;
  /** Longest wait for a lease; longer than `leaseMs`, so that leases of killed processes expire first. */
  maxWaitMs: number;
  /** Interval for checking whether another process has released its lease. */
  pollMs: number;
}

const DEFAULT_TIMES: LeaseTimes = { leaseMs: 6000, renewMs: 1000, maxWaitMs: 10_000, pollMs: 200 };

interface ActiveLease {
  version: string;
  requestRelease(): void;
}

/** The leases of one process. */
export class Leases {
  readonly #database: Database;
  readonly #log: Context['log'];
  readonly #times: LeaseTimes;
  /** Keyed by holder. */
  readonly #active = new Map<string, ActiveLease>();
  readonly #released = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;

  constructor({ database, log }: Pick<Context, 'database' | 'log'>, times: Partial<LeaseTimes> = {}) {
    this.#database = database;
    this.#log = log;
    this.#times = { ...DEFAULT_TIMES, ...times };
  }

  /**
   * Returns the locker for the tus server.
   *
   * @param waitForWrites resolves when all bytes received under the lease are stored
   */
  locker(waitForWrites: () => Promise<void>): Locker {
    return {
      newLock: (id) => {
        const holder = randomUUID();
        const version = parseUploadId(id)?.version;
        return {
          lock: async (signal, requestRelease) => {
            if (version !== undefined) await this.#acquire({ version, requestRelease }, holder, signal);
          },
          unlock: async () => {
            await waitForWrites();
            await this.#release(holder);
          },
        };
      },
    };
  }

  async #acquire(lease: ActiveLease, holder: string, signal: AbortSignal): Promise<void> {
    const { leaseMs, maxWaitMs, pollMs } = this.#times;
    const deadline = performance.now() + maxWaitMs;
    for (;;) {
      const [row] = await this.#database.query<{ isAcquired: boolean }>(
        acquire(lease.version, holder, leaseMs),
      );
      if (row?.isAcquired) break;
      if (signal.aborted || performance.now() > deadline) throw failure('LockTimeout');
      await this.#requestRelease(lease.version);
      await this.#waitForRelease(pollMs);
    }
    this.#active.set(holder, lease);
    this.#timer ??= setInterval(() => void this.#renew(), this.#times.renewMs).unref();
  }

  /** Asks the holder to release its lease: immediately in this process, or with the next renewal in another process. */
  async #requestRelease(version: string): Promise<void> {
    const local = [...this.#active.values()].filter((lease) => lease.version === version);
    for (const lease of local) lease.requestRelease();
    if (local.length === 0) await this.#database.query(requestReleaseStatement(version));
  }

  async #release(holder: string): Promise<void> {
    if (!this.#active.delete(holder)) return;
    if (this.#active.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
    await this.#database.query(release(holder)).catch((error: unknown) => {
      this.#log.warn(
        { err: error },
        'releasing the lease of a resumable upload failed; it expires automatically',
      );
    });
    for (const wake of this.#released) wake();
  }

  async #waitForRelease(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#released.add(resolve);
    const timeout = new AbortController();
    await Promise.race([promise, sleep(ms, undefined, { signal: timeout.signal })]);
    timeout.abort();
    this.#released.delete(resolve);
  }

  async #renew(): Promise<void> {
    const holders = [...this.#active.keys()];
    try {
      const rows = await this.#database.query<{ holder: string; isReleaseRequested: boolean }>(
        renew(holders, this.#times.leaseMs),
      );
      const retained = new Set(
        rows.filter(({ isReleaseRequested }) => !isReleaseRequested).map(({ holder }) => holder),
      );
      for (const holder of holders) if (!retained.has(holder)) this.#active.get(holder)?.requestRelease();
    } catch (error) {
      this.#log.warn({ err: error }, 'renewing the leases of resumable uploads failed');
    }
  }
}

/** Also succeeds for uploads that do not exist, because no other request can be working on them. */
function acquire(version: string, holder: string, leaseMs: number): Statement {
  return {
    text: `with taken as (
        update storage.resumable_uploads
          set lease_holder = $2, lease_until = now() + $3 * interval '1 millisecond', is_lease_wanted = false
          where version = $1 and (lease_until is null or lease_until < now()) returning version
      )
      select exists (select from taken)
        or not exists (select from storage.resumable_uploads where version = $1) as "isAcquired"`,
    values: [version, holder, leaseMs],
    name: 'storage_lease_take',
  };
}

function requestReleaseStatement(version: string): Statement {
  return {
    text: `update storage.resumable_uploads set is_lease_wanted = true
      where version = $1 and lease_until >= now() and not is_lease_wanted`,
    values: [version],
    name: 'storage_lease_want',
  };
}

function renew(holders: readonly string[], leaseMs: number): Statement {
  return {
    text: `update storage.resumable_uploads set lease_until = now() + $2 * interval '1 millisecond'
      where lease_holder = any ($1::uuid[]) returning lease_holder as holder, is_lease_wanted as "isReleaseRequested"`,
    values: [holders, leaseMs],
    name: 'storage_lease_renew',
  };
}

function release(holder: string): Statement {
  return {
    text: `update storage.resumable_uploads set lease_holder = null, lease_until = null, is_lease_wanted = false
      where lease_holder = $1`,
    values: [holder],
    name: 'storage_lease_release',
  };
}
