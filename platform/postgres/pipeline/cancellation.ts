/** Cancels the batch that runs on a connection. */
import { cancelUntilEnded } from '../raw-batch/cancel.ts';
import type { RawClient } from '../raw-batch/client.ts';

/** Sends cancel requests from its construction until `end` is called. */
export class Cancellation {
  readonly #ending = new AbortController();
  readonly #done: Promise<void>;

  constructor(client: RawClient) {
    this.#done = cancelUntilEnded(client, this.#ending.signal);
  }

  /**
   * Sends no further request. Resolves when the last one has ended, so that it cannot hit a later batch. Never rejects.
   */
  end(): Promise<void> {
    this.#ending.abort();
    return this.#done;
  }
}
