/**
 * The feed of a database: changes of tables, each delivered to the subscriptions that may see it, and rows of
 * realtime.messages. This is its contract with the rest of realtime; ./open-feed.ts opens one.
 */

/** The role and claims that policies are evaluated for. */
export interface Identity {
  role: string;
  /** JSON text */
  claims: string;
}

/** One entry of `postgres_changes` as the client sent it, with the id that the reply to the join contains. */
export interface ChangeEntry {
  id: number;
  params: Readonly<Record<string, unknown>>;
}

/** The content of one frame: the ids of all matching entries, and the JSON text of `data`. */
export interface ChangeDelivery {
  ids: readonly number[];
  data: string;
}

/** Runs a check of new entries, possibly after other checks of the same client. */
export type CheckRunner = <T>(work: () => Promise<T>) => Promise<T>;

/** How a subscription shares the feed with others. */
interface SubscribeOptions {
  /**
   * Client whose conditions are suspended together if PostgreSQL evaluates one of them too slowly; undefined for none.
   */
  owner?: string | undefined;
  runCheck?: CheckRunner;
}

export interface FeedSubscription {
  close(): void;
}

/**
 * The refusal of a subscription, thrown by `subscribe`. `message` is the text of the system message. `isFinal`
 * means that another attempt would fail as well.
 */
export class FeedRefusal extends Error {
  override readonly name = 'FeedRefusal';
  readonly isFinal: boolean;

  constructor(message: string, isFinal: boolean, options?: ErrorOptions) {
    super(message, options);
    this.isFinal = isFinal;
  }
}

/** A committed row of realtime.messages. */
export interface MessageRow {
  id: string;
  topic: string;
  extension: string;
  event: string | null;
  isPrivate: boolean;
  /** JSON text */
  payload: string | null;
  binaryPayload: Buffer | null;
}

/** Whether changes are received. The feed is suspended only while no client needs it, so no client misses a change. */
export type FeedStatus = 'streaming' | 'lost' | 'suspended';

/** An open feed. It reconnects after a loss; changes committed in between are not delivered. */
export interface Feed {
  /**
   * Resolves when the subscription is active: changes committed from then on are delivered. Rejects with a
   * {@link FeedRefusal}. `deliver` should not throw; an error is logged.
   */
  subscribe(
    entries: readonly ChangeEntry[],
    identity: Identity,
    deliver: (delivery: ChangeDelivery) => void,
    options?: SubscribeOptions,
  ): Promise<FeedSubscription>;
  /** Calls the listener with rows of realtime.messages in commit order. Returns the function that removes it. */
  onMessage(listener: (row: MessageRow) => void): () => void;
  /** Keeps the feed from being suspended until the returned function is called. */
  acquire(): () => void;
  /** While the feed resumes, returns a promise that resolves when the attempt succeeds or fails. */
  waitUntilResumed(): Promise<void> | undefined;
  /** Resolves when the feed streams. Rejects with the reason of the signal, or when the feed is closed. */
  waitUntilStreaming(signal?: AbortSignal): Promise<void>;
  /** Calls the listener when the status changes. Returns the function that removes it. */
  onStatus(listener: (status: FeedStatus) => void): () => void;
  /** Calls the listener when changes of a role and claims are dropped. Returns the function that removes it. */
  onDropped(listener: (identity: Identity, changes: number) => void): () => void;
  close(): Promise<void>;
}
