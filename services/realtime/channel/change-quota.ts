/**
 * Counts subscriptions to database changes against the limits of entries and of distinct roles and claims per client.
 */
import { QueueFullError } from '@greenroom/limits';
import { type CheckRunner, FeedRefusal, type Identity } from '../feed/feed.ts';
import type { SocketClient } from '../limits/client.ts';

/** Not final, because other channels of the client may be closed by the next attempt. */
const TOO_MANY = 'Too many database change subscriptions, trying again later';

/** The share of one channel in the limits of its client. */
export class ChangeQuota {
  readonly #client: SocketClient;
  readonly #entries: number;
  #hasEntries = false;

  /** @param entries number of `postgres_changes` entries of the channel */
  constructor(client: SocketClient, entries: number) {
    this.#client = client;
    this.#entries = entries;
  }

  /** Key of the client whose conditions are suspended together if PostgreSQL evaluates one of them too slowly. */
  get owner(): string | undefined {
    return this.#client.keys.at(-1);
  }

  /** Runs a check of entries in the client's fair queue. Rejects with {@link FeedRefusal} if too many checks wait. */
  readonly runCheck: CheckRunner = async (work) => {
    const { limits, keys } = this.#client;
    try {
      return await limits.changeChecks.run(keys, work);
    } catch (error) {
      throw error instanceof QueueFullError ? new FeedRefusal(TOO_MANY, false) : error;
    }
  };

  /** Counts a subscription and returns the function that releases it. Throws {@link FeedRefusal} above a limit. */
  reserve({ role, claims }: Identity): () => void {
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

  /** Releases the entries of the channel. */
  close(): void {
    if (this.#hasEntries) this.#client.release(this.#client.limits.changeSubscriptions, this.#entries);
    this.#hasEntries = false;
  }
}
