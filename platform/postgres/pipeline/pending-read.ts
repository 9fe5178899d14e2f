/** A read in the pipeline, until its promise settles. */
import type { ReleaseShare } from '../connection-shares.ts';
import type { Read, ReadResult } from './read.ts';

/** The part of the pipeline that holds a read and handles its abort: the queue, or the batch that runs it. */
interface Stage {
  abort(read: PendingRead): void;
}

/** A read with its promise. It counts as permitted while its statement is quick, or once it has a permit. */
export class PendingRead {
  readonly read: Read;
  /** Time after which a read that is still queued is rejected, on the clock of `performance.now()`. */
  readonly deadline: number;
  /** Set by the stage that receives the read. While the read waits for a permit, the permits handle its abort. */
  stage: Stage | undefined;
  /**
   * Set if the read was in a batch that had to be split, and may be the reason: no other read may share its next batch.
   */
  mustRunAlone = false;
  /** Held while the read is queued. */
  permit: ReleaseShare | undefined;
  readonly #settling = Promise.withResolvers<ReadResult>();

  constructor(read: Read, deadline: number) {
    this.read = read;
    this.deadline = deadline;
  }

  get promise(): Promise<ReadResult> {
    return this.#settling.promise;
  }

  /** Whether it may share a batch. */
  get isShareable(): boolean {
    return this.read.latency.isQuick && !this.mustRunAlone;
  }

  /** Whether it may keep a connection busy for any time. */
  get isPermitted(): boolean {
    return this.read.holder === undefined || this.permit !== undefined || this.isShareable;
  }

  /** Transfers its permit to the caller. */
  takePermit(): ReleaseShare | undefined {
    const { permit } = this;
    this.permit = undefined;
    return permit;
  }

  /** Lets the stage that holds the read handle its abort from now on. */
  listen(): void {
    const { signal } = this.read;
    if (signal === undefined) return;
    const onAbort = () => this.stage?.abort(this);
    signal.onabort = onAbort;
  }

  resolve(result: ReadResult): void {
    this.#stopListening();
    this.#settling.resolve(result);
  }

  reject(error: Error): void {
    this.#stopListening();
    this.takePermit()?.();
    this.#settling.reject(error);
  }

  #stopListening(): void {
    if (this.read.signal !== undefined) this.read.signal.onabort = null;
  }
}
