/**
 * Limits the work of frames in one turn of the event loop. One read from a socket can return a megabyte of frames, and
 * many sockets can be readable in one turn. Frames above the budget wait for a later turn.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Budget of one turn, in bytes of parsed JSON: about 15 ms for JSON of the slowest shape. */
const TURN_COST = 262_144;

/**
 * The budget of the process. It is refilled after half of it is used, because a refill in every turn would cost more
 * than most frames.
 */
export class TurnBudget {
  #left = TURN_COST;
  #isRefilling = false;

  /** Spends the cost of a task. Returns false if no budget is left. The last task of a turn may exceed the budget. */
  spend(cost: number): boolean {
    if (this.#left <= 0) return false;
    this.#left -= cost;
    if (this.#left < TURN_COST / 2 && !this.#isRefilling) {
      this.#isRefilling = true;
      setImmediate(() => this.#refill());
    }
    return true;
  }

  /** Resolves in a turn with budget left, and spends the cost. */
  async wait(cost: number): Promise<void> {
    while (!this.spend(cost)) await nextTurn();
  }

  #refill(): void {
    this.#isRefilling = false;
    this.#left = TURN_COST;
  }
}
