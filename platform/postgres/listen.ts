/**
 * Connections that listen to channels (LISTEN and NOTIFY) and reconnect when they are lost. Notifications sent in between are
 * lost: after each connection, the subscribers have to read the current state.
 */
import pg from 'pg';
import { quoteIdentifier } from './identifier.ts';

const CONNECTION_TIMEOUT_MS = 10_000;
const CLOSE_TIMEOUT_MS = 1000;
const INITIAL_DELAY_MS = 1000;
const MAX_DELAY_MS = 32_000;
/** PostgreSQL shortens longer names of channels, in LISTEN as well as in NOTIFY. */
const MAX_CHANNEL_BYTES = 63;
/** SQLSTATE of a connection that has failed, or that the server ends. */
const CONNECTION_ENDED = /^(?:08|57P)/;

/** The callbacks of a subscriber. */
export interface ChannelSubscriber {
  onNotification(payload: string): void;
  /** Called whenever listening has begun, also after a reconnection. Later notifications are received. */
  onListening(): void;
  /**
   * Called when the connection was lost or could not be opened, or the server refused to listen. The next attempt follows after
   * `pauseMs` milliseconds.
   */
  onLost(error: Error, pauseMs: number): void;
}

/** A running subscription to a channel. */
export interface Subscription {
  /** Ends the subscription; no callback is called afterwards. */
  close(): void;
}

/** Options of {@link openListenConnection}. `url` contains role, password and database. */
interface ListenConnectionOptions {
  url: string;
  applicationName: string;
  /** Called with the error that a callback of a subscriber threw. The other subscribers are not affected. */
  onSubscriberError: (error: unknown, channel: string) => void;
  /** Delay after the first failure, in milliseconds; doubled after each further one. Default: one second. */
  initialDelayMs?: number;
}

/** One connection that listens to the channels of all its subscribers. */
export interface ListenConnection {
  /** Subscribes to a channel. The first subscription opens the connection, in the background. */
  subscribe(channel: string, subscriber: ChannelSubscriber): Subscription;
  /** Ends all subscriptions, and closes the connection. */
  close(): Promise<void>;
}

/** Creates a connection, which is opened when the first subscription needs it. */
export function openListenConnection(options: ListenConnectionOptions): ListenConnection {
  return new SharedConnection(options);
}

/** Options of {@link listen}. */
interface ListenOptions
  extends ChannelSubscriber,
    Pick<ListenConnectionOptions, 'url' | 'applicationName' | 'initialDelayMs'> {
  channel: string;
}

/** A subscription with its own connection. */
export interface Listener {
  /** Stops listening; no callback is called afterwards. */
  close(): Promise<void>;
}

/** Listens to one channel on a dedicated connection, until it is closed. */
export function listen({
  channel,
  url,
  applicationName,
  initialDelayMs,
  ...subscriber
}: ListenOptions): Listener {
  const connection = openListenConnection({
    url,
    applicationName,
    ...(initialDelayMs !== undefined && { initialDelayMs }),
    onSubscriberError: (error) => {
      throw error;
    },
  });
  connection.subscribe(channel, subscriber);
  return { close: () => connection.close() };
}

/** A subscriber and the state of its LISTEN. */
interface Member {
  channel: string;
  /** Name of the channel in notifications. */
  nameOnServer: string;
  subscriber: ChannelSubscriber;
  /** Refusals of the server since listening last began. */
  refusals: number;
  retry: NodeJS.Timeout | undefined;
}

class SharedConnection implements ListenConnection {
  readonly #options: ListenConnectionOptions;
  readonly #initialDelayMs: number;
  readonly #members = new Set<Member>();
  #client: pg.Client | undefined;
  /** Whether the client accepts statements. */
  #isConnected = false;
  #reconnection: NodeJS.Timeout | undefined;
  /** Lost connections and failed attempts since listening last began. */
  #failures = 0;
  #isClosed = false;

  constructor(options: ListenConnectionOptions) {
    this.#options = options;
    this.#initialDelayMs = options.initialDelayMs ?? INITIAL_DELAY_MS;
  }

  subscribe(channel: string, subscriber: ChannelSubscriber): Subscription {
    const name = nameOnServer(channel);
    const member = { channel, nameOnServer: name, subscriber, refusals: 0, retry: undefined };
    if (this.#isClosed) return { close: () => undefined };
    if (this.#client === undefined) this.#connect();
    else if (this.#isConnected) void this.#listenFor(member, this.#client);
    this.#members.add(member);
    return { close: () => this.#remove(member) };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#reconnection);
    for (const member of this.#members) this.#remove(member);
    if (this.#client !== undefined) await endWithTimeout(this.#client);
  }

  /** The channel stays subscribed on the server, because others may listen to it, and its notifications cost little. */
  #remove(member: Member): void {
    this.#members.delete(member);
    clearTimeout(member.retry);
  }

  #connect(): void {
    // Throws if a certificate file cannot be read; the reconnection of other subscribers must remain scheduled then.
    const client = createClient(this.#options);
    clearTimeout(this.#reconnection);
    this.#client = client;
    client.on('error', (error) => this.#lose(client, error));
    client.on('end', () => this.#lose(client, new Error('the connection was closed')));
    client.on('notification', ({ channel, payload }) => this.#dispatch(client, channel, payload ?? ''));
    client.connect().then(
      () => {
        if (!this.#isCurrent(client)) return;
        this.#isConnected = true;
        for (const member of this.#members) void this.#listenFor(member, client);
      },
      (error: Error) => this.#lose(client, error),
    );
  }

  async #listenFor(member: Member, client: pg.Client): Promise<void> {
    const isCurrent = () => this.#isCurrent(client) && this.#members.has(member);
    try {
      await client.query(`listen ${quoteIdentifier(member.channel)}`);
    } catch (error) {
      if (!isRefusal(error)) this.#lose(client, error as Error);
      else if (isCurrent()) this.#retryRefused(member, client, error);
      return;
    }
    if (!isCurrent()) return;
    this.#failures = 0;
    member.refusals = 0;
    this.#call(member, (subscriber) => subscriber.onListening());
  }

  /** The server has refused one channel, or all, e.g. while it is a standby. The connection remains usable. */
  #retryRefused(member: Member, client: pg.Client, error: Error): void {
    const pauseMs = this.#pauseAfter(member.refusals);
    member.refusals += 1;
    member.retry = setTimeout(() => void this.#listenFor(member, client), pauseMs);
    this.#call(member, (subscriber) => subscriber.onLost(error, pauseMs));
  }

  /** A connection can report its loss several times; only the first report counts. */
  #lose(client: pg.Client, error: Error): void {
    if (!this.#isCurrent(client)) return;
    void client.end().catch(() => undefined);
    this.#retryLater(error);
  }

  #retryLater(error: Error): void {
    this.#client = undefined;
    this.#isConnected = false;
    const pauseMs = this.#pauseAfter(this.#failures);
    this.#failures += 1;
    this.#reconnection = setTimeout(() => this.#reconnect(), pauseMs);
    for (const member of this.#members) {
      clearTimeout(member.retry);
      this.#call(member, (subscriber) => subscriber.onLost(error, pauseMs));
    }
  }

  /** Retries even if the client cannot be created: a certificate file that cannot be read now may exist later. */
  #reconnect(): void {
    try {
      this.#connect();
    } catch (error) {
      this.#retryLater(error as Error);
    }
  }

  #dispatch(client: pg.Client, channel: string, payload: string): void {
    if (!this.#isCurrent(client)) return;
    for (const member of this.#members) {
      if (member.nameOnServer !== channel) continue;
      this.#call(member, (subscriber) => subscriber.onNotification(payload));
    }
  }

  #call(member: Member, call: (subscriber: ChannelSubscriber) => void): void {
    try {
      call(member.subscriber);
    } catch (error) {
      this.#options.onSubscriberError(error, member.channel);
    }
  }

  #isCurrent(client: pg.Client): boolean {
    return this.#client === client && !this.#isClosed;
  }

  #pauseAfter(failures: number): number {
    return Math.min(this.#initialDelayMs * 2 ** failures, MAX_DELAY_MS);
  }
}

/** Whether the server has refused a statement, and the connection remains open. */
function isRefusal(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && !CONNECTION_ENDED.test(error.code ?? '');
}

/** Returns the name of a channel as notifications contain it: cut after a whole character, like all identifiers. */
function nameOnServer(channel: string): string {
  const bytes = Buffer.from(channel);
  if (bytes.length <= MAX_CHANNEL_BYTES) return channel;
  // The decoder holds back the bytes of a character that is not complete.
  return new TextDecoder().decode(bytes.subarray(0, MAX_CHANNEL_BYTES), { stream: true });
}

/** Ends the connection without waiting for a server that no longer responds. */
export async function endWithTimeout(client: pg.Client): Promise<void> {
  const { stream } = (client as unknown as { connection: { stream: { destroy(): void } } }).connection;
  const timeout = setTimeout(() => stream.destroy(), CLOSE_TIMEOUT_MS);
  await client.end().catch(() => undefined);
  clearTimeout(timeout);
}

function createClient({ url, applicationName }: ListenConnectionOptions): pg.Client {
  return new pg.Client({
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    // This connection sends little, so only keep-alive detects that the server has disappeared without closing it.
    keepAlive: true,
  });
}
