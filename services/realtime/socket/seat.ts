/** One topic of one socket: its channel, if it has joined, and the frames that wait for their turn. */
import type { Channel } from '../channel/channel.ts';

/** Frames of a topic are handled one after the other; those of other topics do not wait for them. */
export class Seat {
  channel: Channel | undefined;
  readonly #waiting: (() => void | Promise<void>)[] = [];
  #isBusy = false;

  /** True while something is under way. */
  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** How many frames wait. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Runs work when its turn comes: at once, if nothing is under way. It must not throw. */
  enqueue(work: () => void | Promise<void>, onIdle: () => void): void {
    this.#waiting.push(work);
    if (!this.#isBusy) this.#run(onIdle);
  }

  #run(onIdle: () => void): void {
    this.#isBusy = true;
    for (let work = this.#waiting.shift(); work !== undefined; work = this.#waiting.shift()) {
      const pending = work();
      if (pending === undefined) continue;
      void pending.then(() => this.#run(onIdle));
      return;
    }
    this.#isBusy = false;
    onIdle();
  }
}
