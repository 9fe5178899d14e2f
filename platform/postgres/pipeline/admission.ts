/**
 * Stage 1 of the pipeline, admission control: a read that is not known to be quick needs a permit of its client before
 * it may keep a connection busy, see ../connection-shares.ts.
 */
import type { ConnectionShares } from '../connection-shares.ts';
import type { PendingRead } from './pending-read.ts';

export class Admission {
  readonly #shares: ConnectionShares;
  readonly #onAdmitted: (read: PendingRead) => void;

  /** @param onAdmitted receives reads that had to wait for their permit */
  constructor(shares: ConnectionShares, onAdmitted: (read: PendingRead) => void) {
    this.#shares = shares;
    this.#onAdmitted = onAdmitted;
  }

  /**
   * Returns whether the read may run now. Otherwise the read waits for a permit, and is then passed to `onAdmitted`.
   */
  admit(read: PendingRead): boolean {
    if (read.isPermitted || this.#tryAcquire(read)) return true;
    void this.#acquire(read);
    return false;
  }

  #tryAcquire(read: PendingRead): boolean {
    const { holder } = read.read;
    if (holder !== undefined) read.permit = this.#shares.tryAcquire(holder);
    return holder === undefined || read.permit !== undefined;
  }

  async #acquire(read: PendingRead): Promise<void> {
    const { holder, signal } = read.read;
    try {
      if (holder !== undefined) read.permit = await this.#shares.acquire(holder, signal);
    } catch (error) {
      read.reject(error as Error);
      return;
    }
    if (signal?.aborted) read.reject(signal.reason as Error);
    else this.#onAdmitted(read);
  }
}
