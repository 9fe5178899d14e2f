/**
 * Guards the free space on the disk of a store. A reserve stays free of uploads, because PostgreSQL may use the same
 * disk and stops if its log cannot grow.
 */
import { statfs } from 'node:fs/promises';
import { failure } from '../../errors.ts';

/** Bytes to keep free; `auto` depends on the size of the disk, and 0 disables the check. */
export type DiskReserve = number | 'auto';

/** Reads the disk's statistics as `statfs` does. Rejects with errors of the operating system. */
export type DiskStats = (folder: string) => Promise<{ bsize: number; blocks: number; bavail: number }>;

const GIGABYTE = 1e9;
const DEFAULT_SHARE = 0.05;
const DEFAULT_MIN = GIGABYTE;
/** On a small disk, a larger share would leave too little for objects. */
const MAX_SHARE = 0.1;
const MAX_RESERVE = 16 * GIGABYTE;
/** A measurement expires after this time, because other processes write to the disk as well. */
const MEASUREMENT_TTL_MS = 250;

/** Bytes that `auto` keeps free: 5 % of the disk and at least 1 GB, but not over 10 % or 16 GB. */
export function autoReserve(diskBytes: number): number {
  return Math.min(Math.max(diskBytes * DEFAULT_SHARE, DEFAULT_MIN), diskBytes * MAX_SHARE, MAX_RESERVE);
}

/** Space reserved for one write. Release it when the write is over, regardless of its outcome. */
interface SpaceClaim {
  /** Accounts for bytes that are about to be written. Throws InsufficientStorage. */
  use(bytes: number): void;
  release(): void;
}

const UNLIMITED: SpaceClaim = { use() {}, release() {} };

/** Tracks the free space for the writes of one process. */
export class DiskSpace {
  readonly #folder: string;
  readonly #reserve: DiskReserve;
  readonly #stats: DiskStats;
  /** Free bytes above the reserve at the last measurement. */
  #free = 0;
  #measuredAt = Number.NEGATIVE_INFINITY;
  #measuring: Promise<void> | undefined;
  /** Bytes written since the last measurement. */
  #written = 0;
  /** Bytes that claims have reserved but not yet written. */
  #reserved = 0;

  constructor(folder: string, reserve: DiskReserve, stats: DiskStats = statfs) {
    this.#folder = folder;
    this.#reserve = reserve;
    this.#stats = stats;
  }

  /**
   * Claims space for a write. Throws InsufficientStorage.
   *
   * @param reserved bytes of the write, if known, which are reserved for it
   */
  async claim(reserved = 0): Promise<SpaceClaim> {
    if (this.#reserve === 0) return UNLIMITED;
    if (!this.#isFresh()) await this.#measure();
    if (this.#free - this.#written - this.#reserved < reserved) throw failure('InsufficientStorage');
    return new Claim(this, reserved);
  }

  /** Used by claims: changes the number of reserved bytes; `bytes` may be negative. */
  reserve(bytes: number): void {
    this.#reserved += bytes;
  }

  /** Used by claims: accounts for bytes that are written. Throws InsufficientStorage. */
  use(bytes: number): void {
    if (!this.#isFresh()) this.#measure().catch(() => undefined);
    if (this.#free - this.#written < bytes) throw failure('InsufficientStorage');
    this.#written += bytes;
  }

  #isFresh(): boolean {
    return performance.now() - this.#measuredAt < MEASUREMENT_TTL_MS;
  }

  #measure(): Promise<void> {
    this.#measuring ??= this.#measureNow().finally(() => {
      this.#measuring = undefined;
    });
    return this.#measuring;
  }

  async #measureNow(): Promise<void> {
    const writtenBefore = this.#written;
    const { bsize, blocks, bavail } = await this.#stats(this.#folder);
    const reserve = this.#reserve === 'auto' ? autoReserve(blocks * bsize) : this.#reserve;
    this.#free = bavail * bsize - reserve;
    // Keeps counting the bytes that were taken during the measurement, which may not include them.
    this.#written -= writtenBefore;
    this.#measuredAt = performance.now();
  }
}

class Claim implements SpaceClaim {
  readonly #space: DiskSpace;
  /** Reserved bytes that are not written yet. */
  #unused: number;

  constructor(space: DiskSpace, reserved: number) {
    this.#space = space;
    this.#unused = reserved;
    space.reserve(reserved);
  }

  use(bytes: number): void {
    this.#space.use(bytes);
    this.#settle(Math.min(bytes, this.#unused));
  }

  release(): void {
    this.#settle(this.#unused);
  }

  #settle(bytes: number): void {
    this.#unused -= bytes;
    this.#space.reserve(-bytes);
  }
}
