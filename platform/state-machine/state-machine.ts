/** Runs a state machine with a pure transition function. It is for life cycles: data does not pass through it. */

/** The result of an event: the next state, and the effects to run in this order. */
export interface Transition<State, Effect> {
  readonly next: State;
  readonly effects: readonly Effect[];
}

/** Options of {@link StateMachine}. */
interface StateMachineOptions<State, Event, Effect> {
  initial: State;
  /** The transition function, which must be pure. */
  transition: (state: State, event: Event) => Transition<State, Effect>;
  /** Carries out an effect. It must not throw. */
  run: (effect: Effect) => void;
}

interface Waiter<State> {
  isReached: (state: State) => boolean;
  resolve: (state: State) => void;
}

/**
 * Holds the current state. The state changes before the effects of its transition run. An effect may send another
 * event, which is handled at once; effects that can do so, such as calls of listeners, come last in their transition.
 */
export class StateMachine<State, Event, Effect> {
  readonly #options: StateMachineOptions<State, Event, Effect>;
  readonly #waiters = new Set<Waiter<State>>();
  #state: State;

  constructor(options: StateMachineOptions<State, Event, Effect>) {
    this.#options = options;
    this.#state = options.initial;
  }

  get state(): State {
    return this.#state;
  }

  send(event: Event): void {
    const { next, effects } = this.#options.transition(this.#state, event);
    this.#state = next;
    for (const waiter of this.#waiters) {
      if (waiter.isReached(next)) waiter.resolve(next);
    }
    for (const effect of effects) this.#options.run(effect);
  }

  /**
   * Resolves with the first state that `isReached` accepts, the current one included. Rejects with the reason of the
   * signal when it is aborted before.
   */
  async waitFor(isReached: (state: State) => boolean, signal?: AbortSignal): Promise<State> {
    signal?.throwIfAborted();
    if (isReached(this.#state)) return this.#state;
    const { promise, resolve, reject } = Promise.withResolvers<State>();
    const waiter = { isReached, resolve };
    const onAbort = () => reject(signal?.reason);
    this.#waiters.add(waiter);
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      return await promise;
    } finally {
      this.#waiters.delete(waiter);
      signal?.removeEventListener('abort', onAbort);
    }
  }
}
