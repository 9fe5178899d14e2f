/**
 * Free space on the disk of a store. A part of it stays free whatever is uploaded: PostgreSQL may have the same disk, and
 * stops where its log cannot grow.
 */
import { statfs } from 'node:fs/promises';
import { failure } from '../../errors.ts';

/** Bytes that stay free; `auto` depends on the size of the disk, and 0 turns the check off. */
export type DiskReserve = number | 'auto';

/** Looks at the disk. Throws what the operating system says. */
export type DiskStats = (folder: string) => Promise<{ bsize: number; blocks: number; bavail: number }>;

const GIGABYTE = 1e9;
const USUAL_SHARE = 0.05;
const USUAL_LEAST = GIGABYTE;
/** Of a small disk, more than this would leave too little for objects. */
const MOST_SHARE = 0.1;
const MOST = 16 * GIGABYTE;
/** Others write to the disk, too: what was seen is true for so long. */
const FRESH_MS = 250;

/** Bytes that `auto` keeps free: 5 % of the disk and at least 1 GB, but not over 10 % or 16 GB. */
export function autoReserve(diskBytes: number): number {
  return Math.min(Math.max(diskBytes * USUAL_SHARE, USUAL_LEAST), diskBytes * MOST_SHARE, MOST);
}

/** Space of one write. Release it when the write is over, whatever its outcome. */
interface SpaceClaim {
  /** Counts bytes that are about to be written. Throws InsufficientStorage. */
  take(bytes: number): void;
  release(): void;
}

const UNLIMITED: SpaceClaim = { take() {}, release() {} };

/** Free space as the writes of one process see it. */
export class DiskSpace {
  readonly #folder: string;
  readonly #reserve: DiskReserve;
  readonly #stats: DiskStats;
  /** Free bytes above the reserve when the disk was last looked at. */
  #free = 0;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #looking: Promise<void> | undefined;
  /** Bytes taken since then. */
  #taken = 0;
  /** Bytes that claims have announced and not taken yet. */
  #announced = 0;

  constructor(folder: string, reserve: DiskReserve, stats: DiskStats = statfs) {
    this.#folder = folder;
    this.#reserve = reserve;
    this.#stats = stats;
  }

  /**
   * Claims space for a write.
   * @param announced its bytes, where they are known; they are kept free of other writes
   * Throws InsufficientStorage.
   */
  async claim(announced = 0): Promise<SpaceClaim> {
    if (this.#reserve === 0) return UNLIMITED;
    if (!this.#isFresh()) await this.#look();
    if (this.#free - this.#taken - this.#announced < announced) throw failure('InsufficientStorage');
    return new Claim(this, announced);
  }

  /** For claims: counts announced bytes, which may be negative. */
  announce(bytes: number): void {
    this.#announced += bytes;
  }

  /** For claims: counts bytes that are written. Throws InsufficientStorage. */
  take(bytes: number): void {
    if (!this.#isFresh()) this.#look().catch(() => undefined);
    if (this.#free - this.#taken < bytes) throw failure('InsufficientStorage');
    this.#taken += bytes;
  }

  #isFresh(): boolean {
    return performance.now() - this.#lookedAt < FRESH_MS;
  }

  #look(): Promise<void> {
    this.#looking ??= this.#lookNow().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #lookNow(): Promise<void> {
    const takenBefore = this.#taken;
    const { bsize, blocks, bavail } = await this.#stats(this.#folder);
    const reserve = this.#reserve === 'auto' ? autoReserve(blocks * bsize) : this.#reserve;
    this.#free = bavail * bsize - reserve;
    // Bytes taken while the disk was being looked at may not be on it yet.
    this.#taken -= takenBefore;
    this.#lookedAt = performance.now();
  }
}

class Claim implements SpaceClaim {
  readonly #space: DiskSpace;
  /** Announced and not taken yet. */
  #left: number;

  constructor(space: DiskSpace, announced: number) {
    this.#space = space;
    this.#left = announced;
    space.announce(announced);
  }

  take(bytes: number): void {
    this.#space.take(bytes);
    this.#settle(Math.min(bytes, this.#left));
  }

  release(): void {
    this.#settle(this.#left);
  }

  #settle(bytes: number): void {
    this.#left -= bytes;
    this.#space.announce(-bytes);
  }
}
