/** One topic of one socket: its channel, if it has joined, and a serial queue of its frames. */
import type { Channel } from '../channel/channel.ts';

/** Handles the frames of one topic one after the other. Topics do not wait for each other. */
export class TopicQueue {
  channel: Channel | undefined;
  readonly #pending: (() => void | Promise<void>)[] = [];
  #isBusy = false;

  /** Whether a frame is being handled. */
  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** Number of queued frames. */
  get length(): number {
    return this.#pending.length;
  }

  /** Runs `work` after all earlier work, synchronously if there is none. `work` must neither throw nor reject. */
  enqueue(work: () => void | Promise<void>, onIdle: () => void): void {
    this.#pending.push(work);
    if (!this.#isBusy) this.#run(onIdle);
  }

  #run(onIdle: () => void): void {
    this.#isBusy = true;
    for (let work = this.#pending.shift(); work !== undefined; work = this.#pending.shift()) {
      const pending = work();
      if (pending === undefined) continue;
      void pending.then(() => this.#run(onIdle));
      return;
    }
    this.#isBusy = false;
    onIdle();
  }
}
