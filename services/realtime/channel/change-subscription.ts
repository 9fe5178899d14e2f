/** The subscription of a channel to database changes. Retries after failures and is replaced when the token changes. */
import { setTimeout as sleep } from 'node:timers/promises';
import { failure } from '../errors.ts';
import {
  type ChangeDelivery,
  type ChangeEntry,
  type Feed,
  FeedRefusal,
  type FeedStatus,
  type FeedSubscription,
  type Identity,
} from '../feed/feed.ts';
import type { ChangeQuota } from './change-quota.ts';

const LOST = 'Replication connection was lost, changes made in the meantime are not delivered';
const DROPPED = 'Database changes were not delivered: policies or filters took too long';

/** Callbacks of a subscription. */
interface ChangeListener {
  deliver(delivery: ChangeDelivery): void;
  /** Changes are delivered from now on. */
  onActive(): void;
  /** Changes are not delivered. `message` is the reason for the client. */
  onInactive(message: string): void;
  /** An attempt failed for a reason other than a {@link FeedRefusal}. */
  onError(error: unknown): void;
}

/** Options of {@link ChangeSubscription}. */
interface ChangeSubscriptionOptions {
  feed: Feed | undefined;
  entries: readonly ChangeEntry[];
  /** Counts the channel against the limits of its client. */
  quota: ChangeQuota;
  listener: ChangeListener;
  /** Shortest pause before a retry, in milliseconds; the longest is twice as long. */
  pauseMs: number;
}

/** Inactive until {@link ChangeSubscription.start} is called. */
export class ChangeSubscription {
  readonly #options: ChangeSubscriptionOptions;
  #current: FeedSubscription | undefined;
  #attempt = new AbortController();
  #identity: Identity | undefined;
  readonly #removeListeners: ((() => void) | undefined)[];

  constructor(options: ChangeSubscriptionOptions) {
    this.#options = options;
    this.#removeListeners = [
      options.feed?.onStatus((status) => this.#reportStatus(status)),
      options.feed?.onDropped((identity) => this.#reportDropped(identity)),
    ];
  }

  /**
   * Subscribes with a role and claims. The previous subscription stays active until the new one is, so that no change
   * is missed in between.
   */
  start(identity: Identity): void {
    this.#attempt.abort();
    this.#attempt = new AbortController();
    void this.#tryUntilDone(identity, this.#attempt.signal);
  }

  close(): void {
    this.#attempt.abort();
    this.#current?.close();
    this.#current = undefined;
    this.#options.quota.close();
    for (const removeListener of this.#removeListeners) removeListener?.();
  }

  async #tryUntilDone(identity: Identity, signal: AbortSignal): Promise<void> {
    const { listener, pauseMs } = this.#options;
    while (!signal.aborted) {
      try {
        await this.#subscribe(identity, signal);
        return;
      } catch (error) {
        if (signal.aborted) return;
        this.#current?.close();
        this.#current = undefined;
        const refusal = error instanceof FeedRefusal ? error : undefined;
        if (refusal === undefined) listener.onError(error);
        listener.onInactive(refusal?.message ?? failure('UnableToConnectToProject').message);
        if (refusal?.isFinal) return;
      }
      await sleep(pauseMs * (1 + Math.random()), undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  async #subscribe(identity: Identity, signal: AbortSignal): Promise<void> {
    const { feed, entries, listener, quota } = this.#options;
    if (feed === undefined) throw new FeedRefusal(failure('UnableToConnectToProject').message, true);
    let isCurrent = false;
    const deliver = (delivery: ChangeDelivery) => {
      // Until the previous subscription is closed, only that one delivers.
      if (!signal.aborted && (isCurrent || this.#current === undefined)) listener.deliver(delivery);
    };
    const release = quota.reserve(identity);
    const { owner, runCheck } = quota;
    let subscription: FeedSubscription;
    try {
      const opened = await feed.subscribe(entries, identity, deliver, { owner, runCheck });
      subscription = {
        close() {
          opened.close();
          release();
        },
      };
    } catch (error) {
      release();
      throw error;
    }
    if (signal.aborted) return subscription.close();
    this.#current?.close();
    this.#current = subscription;
    this.#identity = identity;
    isCurrent = true;
    listener.onActive();
  }

  #reportStatus(status: FeedStatus): void {
    if (this.#current === undefined) return;
    if (status === 'lost') this.#options.listener.onInactive(LOST);
    else if (status === 'streaming') this.#options.listener.onActive();
  }

  /** Changes are dropped per role and claims, so this channel is affected only if its own match. */
  #reportDropped({ role, claims }: Identity): void {
    if (this.#current === undefined) return;
    if (this.#identity?.role === role && this.#identity.claims === claims) {
      this.#options.listener.onInactive(DROPPED);
    }
  }
}
