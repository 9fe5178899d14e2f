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
  patienceMs: number;
  /** Interval for checking whether another process has released its lease. */
  pollMs: number;
}

const DEFAULT_TIMES: LeaseTimes = { leaseMs: 6000, renewMs: 1000, patienceMs: 10_000, pollMs: 200 };

interface Held {
  version: string;
  letGo(): void;
}

/** The leases of one process. */
export class Leases {
  readonly #database: Database;
  readonly #log: Context['log'];
  readonly #times: LeaseTimes;
  /** Keyed by holder. */
  readonly #held = new Map<string, Held>();
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
   * @param untilWritten resolves when all bytes received under the lease are stored
   */
  locker(untilWritten: () => Promise<void>): Locker {
    return {
      newLock: (id) => {
        const holder = randomUUID();
        const version = parseUploadId(id)?.version;
        return {
          lock: async (signal, letGo) => {
            if (version !== undefined) await this.#take({ version, letGo }, holder, signal);
          },
          unlock: async () => {
            await untilWritten();
            await this.#release(holder);
          },
        };
      },
    };
  }

  async #take(held: Held, holder: string, signal: AbortSignal): Promise<void> {
    const { leaseMs, patienceMs, pollMs } = this.#times;
    const deadline = performance.now() + patienceMs;
    for (;;) {
      const [row] = await this.#database.query<{ mayWork: boolean }>(take(held.version, holder, leaseMs));
      if (row?.mayWork) break;
      if (signal.aborted || performance.now() > deadline) throw failure('LockTimeout');
      await this.#ask(held.version);
      await this.#untilReleased(pollMs);
    }
    this.#held.set(holder, held);
    this.#timer ??= setInterval(() => void this.#renew(), this.#times.renewMs).unref();
  }

  /** Asks the holder to release its lease: immediately in this process, or with the next renewal in another process. */
  async #ask(version: string): Promise<void> {
    const near = [...this.#held.values()].filter((held) => held.version === version);
    for (const held of near) held.letGo();
    if (near.length === 0) await this.#database.query(want(version));
  }

  async #release(holder: string): Promise<void> {
    if (!this.#held.delete(holder)) return;
    if (this.#held.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
    await this.#database.query(release(holder)).catch((error: unknown) => {
      this.#log.warn({ err: error }, 'a lease of a resumable upload runs out by itself');
    });
    for (const wake of this.#released) wake();
  }

  async #untilReleased(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#released.add(resolve);
    const late = new AbortController();
    await Promise.race([promise, sleep(ms, undefined, { signal: late.signal })]);
    late.abort();
    this.#released.delete(resolve);
  }

  async #renew(): Promise<void> {
    const holders = [...this.#held.keys()];
    try {
      const rows = await this.#database.query<{ holder: string; isWanted: boolean }>(
        renew(holders, this.#times.leaseMs),
      );
      const kept = new Set(rows.filter(({ isWanted }) => !isWanted).map(({ holder }) => holder));
      for (const holder of holders) if (!kept.has(holder)) this.#held.get(holder)?.letGo();
    } catch (error) {
      this.#log.warn({ err: error }, 'leases of resumable uploads could not be renewed');
    }
  }
}

/** Also succeeds for uploads that do not exist, because no other request can be working on them. */
function take(version: string, holder: string, leaseMs: number): Statement {
  return {
    text: `with taken as (
        update storage.resumable_uploads
          set lease_holder = $2, lease_until = now() + $3 * interval '1 millisecond', is_lease_wanted = false
          where version = $1 and (lease_until is null or lease_until < now()) returning version
      )
      select exists (select from taken)
        or not exists (select from storage.resumable_uploads where version = $1) as "mayWork"`,
    values: [version, holder, leaseMs],
    name: 'storage_lease_take',
  };
}

function want(version: string): Statement {
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
      where lease_holder = any ($1::uuid[]) returning lease_holder as holder, is_lease_wanted as "isWanted"`,
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
