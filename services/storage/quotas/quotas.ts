/**
 * Limits the bytes of a user, a bucket and the instance. An upload reserves its bytes in advance, so concurrent uploads
 * cannot exceed a quota together. The reservation ends in the transaction that writes the object's row. Without quotas
 * no statement runs.
 */
import { randomUUID } from 'node:crypto';
import { CatalogueError } from '@greenroom/errors';
import type { Logger } from '@greenroom/log';
import type { Database, Statement } from '@greenroom/postgres';
import { failure } from '../errors.ts';
import type { QuotaConfig } from '../settings.ts';
import { release, renew, reserve } from './rows.ts';
import type { QuotaScope, SpaceRequest } from './space-request.ts';

/** Well below the lifetime of a reservation, which is 2 minutes. */
const RENEW_MS = 30_000;

/** A reservation for one upload. */
export interface Reservation {
  /** Granted bytes. */
  bytes: number;
  /**
   * Ends the reservation. Run it in the transaction that writes the row, after that statement and as the owner of the
   * tables.
   */
  release: readonly Statement[];
}

/** Dependencies of quotas. */
interface QuotaOptions {
  config: QuotaConfig;
  database: Database;
  log: Logger;
}

/** Quotas and reservations of one process. */
export class Quotas {
  readonly #database: Database;
  #config: QuotaConfig;
  readonly #log: Logger;
  readonly #holder = randomUUID();
  #active = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor({ config, database, log }: QuotaOptions) {
    this.#database = database;
    this.#config = config;
    this.#log = log;
  }

  /** Applies other limits to the next requests. */
  configure(config: QuotaConfig): void {
    this.#config = config;
  }

  /**
   * Reserves bytes and runs `work`, which commits `reservation.release` together with the row. Releases the reservation
   * if `work` rejects. Throws QuotaExceeded, also if content of unknown size exceeds the granted bytes.
   */
  async withReservation<T>(
    spaceRequest: SpaceRequest,
    work: (reservation: Reservation) => Promise<T>,
  ): Promise<T> {
    const limits = this.#limitsFor(spaceRequest);
    if (limits === undefined) return work({ bytes: spaceRequest.maxBytes, release: [] });
    const id = randomUUID();
    const [row] = await this.#database.query<{ granted: number | null }>(
      reserve({ ...spaceRequest, id, holder: this.#holder, limits }),
    );
    if (row?.granted == null) throw failure('QuotaExceeded');
    const { granted: bytes } = row;
    this.#startRenewal();
    try {
      return await work({ bytes, release: [release(id)] });
    } catch (error) {
      await this.#release(id);
      throw bytes < spaceRequest.maxBytes && isTooLarge(error) ? failure('QuotaExceeded') : error;
    } finally {
      this.#stopRenewal();
    }
  }

  /** Stops renewing reservations, so they expire. */
  close(): void {
    clearInterval(this.#timer);
  }

  #limitsFor({ ownerId, scopes }: SpaceRequest): Record<QuotaScope, number | null> | undefined {
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
      this.#log.warn({ err: error }, 'releasing a storage reservation failed; it expires automatically');
    });
  }

  #startRenewal(): void {
    this.#active += 1;
    this.#timer ??= setInterval(() => void this.#renew(), RENEW_MS).unref();
  }

  #stopRenewal(): void {
    this.#active -= 1;
    if (this.#active > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #renew(): Promise<void> {
    await this.#database.query(renew(this.#holder)).catch((error: unknown) => {
      this.#log.warn({ err: error }, 'renewing storage reservations failed');
    });
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof CatalogueError && error.code === 'EntityTooLarge';
}
