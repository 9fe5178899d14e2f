/**
 * The feed of a database: changes of tables, each told to those who may see it, and rows of realtime.messages. This is
 * what the rest of realtime knows of it; ./open-feed.ts opens one.
 */

/** Whose eyes a change is looked at with. */
export interface Identity {
  role: string;
  /** JSON text */
  claims: string;
}

/** One entry of `postgres_changes` as it was sent, and the id that it was answered with. */
export interface ChangeEntry {
  id: number;
  params: Readonly<Record<string, unknown>>;
}

/** One frame: all ids that match, and the JSON text of `data`. */
export interface ChangeDelivery {
  ids: readonly number[];
  data: string;
}

/** Runs a check of new entries when it is its turn. */
export type CheckRunner = <T>(work: () => Promise<T>) => Promise<T>;

/** How a subscription shares the feed with others. */
interface SubscribeOptions {
  /** Client whose conditions wait together where PostgreSQL answers one of them too slowly; undefined: nobody's. */
  owner?: string | undefined;
  runCheck?: CheckRunner;
}

/** Ends with `close`. */
export interface FeedSubscription {
  close(): void;
}

/**
 * Why nothing can be subscribed to; `message` is the text of the system message. Thrown by subscribe. `isFinal`: not to
 * be tried again.
 */
export class FeedRefusal extends Error {
  override readonly name = 'FeedRefusal';
  readonly isFinal: boolean;

  constructor(message: string, isFinal: boolean, options?: ErrorOptions) {
    super(message, options);
    this.isFinal = isFinal;
  }
}

/** A row of realtime.messages, after its commit. */
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

/** Whether changes are coming in. While nobody listens the feed may rest, and nothing is lost. */
export type FeedStatus = 'streaming' | 'lost' | 'resting';

/** An open feed. It comes back by itself when its connection is lost; what was committed in between is not told. */
export interface Feed {
  /**
   * Resolves when it is really active: changes committed from now on are delivered. `deliver` must not throw.
   * Throws {@link FeedRefusal}.
   */
  subscribe(
    entries: readonly ChangeEntry[],
    identity: Identity,
    deliver: (delivery: ChangeDelivery) => void,
    options?: SubscribeOptions,
  ): Promise<FeedSubscription>;
  /** Rows of realtime.messages in commit order. Gives back what ends it. */
  onMessage(listener: (row: MessageRow) => void): () => void;
  /** Somebody listens: the feed does not rest until what it gives back is called. */
  hold(): () => void;
  /** While it wakes up after a rest: resolves when it streams again, or cannot. Never rejects. */
  untilAwake(): Promise<void> | undefined;
  /** Resolves when the stream is up. Rejects with the reason of the signal, or when the feed is closed. */
  untilStreaming(signal?: AbortSignal): Promise<void>;
  /** Told when the stream is lost and when it is back. Gives back what ends it. */
  onStatus(listener: (status: FeedStatus) => void): () => void;
  /** Told how many changes were not told to somebody because they could not be looked at. Gives back what ends it. */
  onDropped(listener: (identity: Identity, changes: number) => void): () => void;
  close(): Promise<void>;
}
