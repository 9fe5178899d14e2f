/**
 * Work that frames may cause in one turn of the event loop. One read from a socket can bring a megabyte of frames, and many
 * sockets can be read in one turn; frames above the budget wait for a later one.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Cost of one turn, in bytes of JSON that are parsed: about 15 ms of the shapes that parse most slowly. */
const TURN_COST = 262_144;

/**
 * The budget of the process. It is filled again in the turn after the one that has used half of it: a refill in every turn
 * would cost more than most frames do.
 */
export class TurnBudget {
  #left = TURN_COST;
  #isRefilling = false;

  /** Spends what a piece of work costs; false where the turn has nothing left. The last piece may exceed the budget. */
  spend(cost: number): boolean {
    if (this.#left <= 0) return false;
    this.#left -= cost;
    if (this.#left < TURN_COST / 2 && !this.#isRefilling) {
      this.#isRefilling = true;
      setImmediate(() => this.#refill());
    }
    return true;
  }

  /** Resolves in a turn that has budget for a piece of work, and spends its cost. */
  async wait(cost: number): Promise<void> {
    while (!this.spend(cost)) await nextTurn();
  }

  #refill(): void {
    this.#isRefilling = false;
    this.#left = TURN_COST;
  }
}
