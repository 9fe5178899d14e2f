/** Limits of database changes: how many entries a client subscribes to, and with how many roles and claims. */
import { QueueFullError } from '@greenroom/limits';
import { type CheckRunner, FeedRefusal, type Identity } from '../feed/feed.ts';
import type { SocketClient } from '../limits/client.ts';

/** Tried again later: other channels may have been closed by then. */
const TOO_MANY = 'Too many database change subscriptions, trying again later';

/** Counts the subscriptions of one channel against its client. */
export class ChangeAdmission {
  readonly #client: SocketClient;
  readonly #entries: number;
  #hasEntries = false;

  /** @param entries of `postgres_changes` in the channel */
  constructor(client: SocketClient, entries: number) {
    this.#client = client;
    this.#entries = entries;
  }

  /** Whose conditions wait together where PostgreSQL answers one of them too slowly. */
  get owner(): string | undefined {
    return this.#client.keys.at(-1);
  }

  /** Runs a check of entries when it is the client's turn. Throws {@link FeedRefusal} where too many wait. */
  readonly runCheck: CheckRunner = async (work) => {
    const { limits, keys } = this.#client;
    try {
      return await limits.changeChecks.run(keys, work);
    } catch (error) {
      throw error instanceof QueueFullError ? new FeedRefusal(TOO_MANY, false) : error;
    }
  };

  /** Counts a subscription and returns the function that ends it. Throws {@link FeedRefusal}. */
  enter({ role, claims }: Identity): () => void {
    const { limits, keys } = this.#client;
    if (!this.#hasEntries) {
      if (this.#client.take(limits.changeSubscriptions, this.#entries) !== undefined) {
        throw new FeedRefusal(TOO_MANY, false);
      }
      this.#hasEntries = true;
    }
    const identity = `${role}\0${claims}`;
    if (limits.changeIdentities.take(keys, identity) !== undefined) throw new FeedRefusal(TOO_MANY, false);
    return () => limits.changeIdentities.release(keys, identity);
  }

  /** Returns what the entries of the channel have taken. */
  close(): void {
    if (this.#hasEntries) this.#client.release(this.#client.limits.changeSubscriptions, this.#entries);
    this.#hasEntries = false;
  }
}
