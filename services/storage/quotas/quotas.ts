/**
 * Quotas: how many bytes a person, a bucket and the instance may have. An upload reserves its bytes before they come, so
 * that uploads at the same time cannot exceed a quota together; its reservation ends in the transaction that writes its
 * row. Without quotas nothing is asked of the database.
 */
import { randomUUID } from 'node:crypto';
import { CatalogueError } from '@greenroom/errors';
import type { Logger } from '@greenroom/log';
import type { Database, Statement } from '@greenroom/postgres';
import { failure } from '../errors.ts';
import type { QuotaConfig } from '../settings.ts';
import { release, renew, reserve } from './rows.ts';
import type { QuotaScope, WantedBytes } from './wanted-bytes.ts';

/** Well below the life of a reservation, which is 2 minutes. */
const RENEW_MS = 30_000;

/** Room for one upload. */
export interface Room {
  /** Most bytes that fit. */
  bytes: number;
  /** Ends the reservation: goes into the transaction that writes the row, behind it and as the owner of the tables. */
  release: readonly Statement[];
}

/** What quotas are kept with. */
interface QuotaOptions {
  config: QuotaConfig;
  database: Database;
  log: Logger;
}

/** Reservations of one process. */
export class Quotas {
  readonly #database: Database;
  readonly #config: QuotaConfig;
  readonly #log: Logger;
  readonly #holder = randomUUID();
  #held = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor({ config, database, log }: QuotaOptions) {
    this.#database = database;
    this.#config = config;
    this.#log = log;
  }

  /**
   * Reserves bytes and runs `work`, which commits `room.release` with the row that it writes. Where it rejects, the
   * reservation is released here. Throws QuotaExceeded, also where content of unknown size grows beyond its room.
   */
  async within<T>(wanted: WantedBytes, work: (room: Room) => Promise<T>): Promise<T> {
    const limits = this.#limitsFor(wanted);
    if (limits === undefined) return work({ bytes: wanted.atMost, release: [] });
    const id = randomUUID();
    const [row] = await this.#database.query<{ granted: number | null }>(
      reserve({ ...wanted, id, holder: this.#holder, limits }),
    );
    if (row?.granted == null) throw failure('QuotaExceeded');
    const { granted: bytes } = row;
    this.#hold();
    try {
      return await work({ bytes, release: [release(id)] });
    } catch (error) {
      await this.#release(id);
      throw bytes < wanted.atMost && isTooLarge(error) ? failure('QuotaExceeded') : error;
    } finally {
      this.#letGo();
    }
  }

  /** Stops renewing: what is reserved still expires. */
  close(): void {
    clearInterval(this.#timer);
  }

  #limitsFor({ ownerId, scopes }: WantedBytes): Record<QuotaScope, number | null> | undefined {
    const { total, perBucket, perUser } = this.#config;
    const has = (scope: QuotaScope) => scopes?.includes(scope) ?? true;
    const limits = {
      total: (has('total') ? total : undefined) ?? null,
      bucket: (has('bucket') ? perBucket : undefined) ?? null,
      user: (has('user') && ownerId !== null ? perUser : undefined) ?? null,
    };
    return Object.values(limits).every((limit) => limit === null) ? undefined : limits;
  }

  async #release(id: string): Promise<void> {
    await this.#database.query(release(id)).catch((error: unknown) => {
      this.#log.warn({ err: error }, 'a reservation of storage could not be released, and expires');
    });
  }

  #hold(): void {
    this.#held += 1;
    this.#timer ??= setInterval(() => void this.#renew(), RENEW_MS).unref();
  }

  #letGo(): void {
    this.#held -= 1;
    if (this.#held > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #renew(): Promise<void> {
    await this.#database.query(renew(this.#holder)).catch((error: unknown) => {
      this.#log.warn({ err: error }, 'reservations of storage could not be renewed');
    });
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof CatalogueError && error.code === 'EntityTooLarge';
}
