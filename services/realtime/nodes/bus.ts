/**
 * The bus of several nodes. It notifies listeners on this node at once and appends messages to a log that all nodes
 * read. It decides when to append and when to send presences. ./peers.ts tracks the other nodes.
 */
import type { Logger } from '@greenroom/log';
import type { Bus, BusMessage } from '../hub/bus.ts';
import { DEFAULT_NODE_TIMINGS, type NodeLog, type NodeTimings } from './log.ts';
import { NodePresences } from './node-presences.ts';
import { Outbox } from './outbox.ts';
import { Peers } from './peers.ts';
import type { NodeMessage, TopicPresences } from './wire.ts';

/** Approximate number of presences per part of a snapshot. */
const PART_PRESENCES = 1000;
const CLOSE_TIMEOUT_MS = 2000;
/** Minimum interval between two warnings about the log. */
const LOG_FAILURE_EVERY_MS = 10_000;

/** Options of {@link openNodeBus}. */
interface NodeBusOptions {
  /** Unique id of this node, never reused. */
  node: string;
  /** The log of all nodes. The bus closes it. */
  log: NodeLog;
  logger: Pick<Logger, 'info' | 'warn'>;
  timings?: Partial<NodeTimings>;
}

/** Counters of a bus. */
export interface NodeCounts {
  /** Number of live nodes, this one included. */
  nodes: number;
  /** Messages of this node that the log has stored. */
  appended: number;
  /** Received messages of other nodes. */
  received: number;
  /** Broadcasts and presence changes that the log has not stored in time. */
  dropped: number;
  /** Lost entries of other nodes. */
  missed: number;
}

/** A bus between nodes. */
export interface NodeBus extends Bus {
  counts(): NodeCounts;
  /** Throws if messages cannot be exchanged with other nodes. */
  requireReady(): void;
  /** Appends the pending messages and a `bye`, then closes the log. */
  close(): Promise<void>;
}

/** Opens a bus. Resolves when all other nodes have sent their presences, or after a timeout. */
export async function openNodeBus(options: NodeBusOptions): Promise<NodeBus> {
  const bus = new LogBus(options);
  await bus.open();
  return bus;
}

class LogBus implements NodeBus {
  readonly #node: string;
  readonly #log: NodeLog;
  readonly #logger: NodeBusOptions['logger'];
  readonly #timings: NodeTimings;
  readonly #listeners = new Set<(message: BusMessage) => void>();
  /** Presences of this node. */
  readonly #own = new NodePresences();
  readonly #outbox: Outbox;
  readonly #peers: Peers;
  #snapshotReceivers = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #hasAnnounced = false;
  #onChange: () => void = ignore;
  #failureLoggedAt = Number.NEGATIVE_INFINITY;

  constructor({ node, log, logger, timings }: NodeBusOptions) {
    this.#node = node;
    this.#log = log;
    this.#logger = logger;
    this.#timings = { ...DEFAULT_NODE_TIMINGS, ...timings };
    this.#outbox = new Outbox({
      log,
      timings: this.#timings,
      onAppendFailed: (error) => this.#logFailure(error),
    });
    this.#peers = new Peers({
      node,
      timings: this.#timings,
      now: () => performance.now(),
      deliver: (message) => this.#deliver(message),
      requestSnapshot: (of) => this.#push({ kind: 'ask', of }),
      sendSnapshot: (to) => this.#scheduleSnapshot(to),
      onChange: () => this.#onChange(),
      onMalformed: (of, error) =>
        logger.warn({ node: of, err: error }, 'skipped a malformed entry of another node'),
    });
  }

  async open(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const resolveWhenComplete = () => {
      if (this.#hasAnnounced && this.#peers.areComplete) resolve();
    };
    this.#onChange = resolveWhenComplete;
    const startTimer = setTimeout(resolve, this.#timings.startTimeoutMs);
    this.#announce().catch((error: unknown) => this.#logFailure(error));
    this.#timer = setInterval(() => this.#sendHeartbeat(), this.#timings.heartbeatMs).unref();
    await promise;
    clearTimeout(startTimer);
    this.#onChange = ignore;
  }

  publish(message: BusMessage): void | Promise<void> {
    this.#deliver(message);
    if (message.kind === 'presence') this.#own.apply(message);
    if (!this.#peers.mayHaveReaders) return;
    const appended = this.#outbox.push(message);
    return message.kind === 'broadcast' ? appended : undefined;
  }

  /** Calls a new listener with the presences of other nodes at once. */
  subscribe(listener: (message: BusMessage) => void): () => void {
    this.#listeners.add(listener);
    for (const { topic, presences } of this.#peers.presences()) {
      listener({ kind: 'presence', topic, joins: presences, leaves: [] });
    }
    return () => this.#listeners.delete(listener);
  }

  counts(): NodeCounts {
    const { appended, dropped } = this.#outbox;
    const { alive, received, missed } = this.#peers;
    return { nodes: alive + 1, appended, received, dropped, missed };
  }

  requireReady(): void {
    if (!this.#peers.isReceiving) throw new Error('the message log shared with other nodes does not respond');
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    if (this.#hasAnnounced) this.#push({ kind: 'bye' });
    await this.#outbox.close(CLOSE_TIMEOUT_MS);
    await this.#log.close();
  }

  /** Announces this node to the others. Sends presences, which exist already if the log was not readable at first. */
  async #announce(): Promise<void> {
    await this.#log.read({
      onEntry: (node, entry) => this.#peers.receive(node, entry),
      onOwnEntry: () => this.#peers.receiveOwn(),
    });
    const others = await this.#log.nodes().catch((error: unknown) => {
      this.#logFailure(error);
      return [];
    });
    this.#peers.addExpected(others);
    this.#hasAnnounced = true;
    this.#push({ kind: 'hello' });
    this.#pushSnapshot([]);
    this.#onChange();
  }

  #sendHeartbeat(): void {
    this.#peers.checkLiveness();
    // A pending message proves life as well, and other nodes do not know this one before its `hello`.
    if (this.#hasAnnounced && this.#outbox.isIdle) this.#push({ kind: 'beat', presences: this.#own.size });
  }

  /** Schedules one snapshot for all nodes that request it in the same turn of the event loop. */
  #scheduleSnapshot(to: string): void {
    if (this.#snapshotReceivers.size === 0) {
      setImmediate(() => {
        const receivers = [...this.#snapshotReceivers];
        this.#snapshotReceivers.clear();
        this.#pushSnapshot(receivers);
      });
    }
    this.#snapshotReceivers.add(to);
  }

  /** Sends the presences of this node. @param to receiving nodes; empty for all */
  #pushSnapshot(to: string[]): void {
    const parts = partsOf(this.#own.byTopic());
    for (const [index, rooms] of parts.entries()) {
      const isLast = index === parts.length - 1;
      this.#push({ kind: 'snapshot', to, isFirst: index === 0, isLast, rooms });
    }
  }

  #push(message: NodeMessage): void {
    void this.#outbox.push(message);
  }

  #deliver(message: BusMessage): void {
    for (const listener of this.#listeners) listener(message);
  }

  #logFailure(error: unknown): void {
    const now = performance.now();
    if (now - this.#failureLoggedAt < LOG_FAILURE_EVERY_MS) return;
    this.#failureLoggedAt = now;
    const reason = error instanceof Error ? error.message : String(error);
    this.#logger.warn({ node: this.#node, reason }, 'messages cannot be exchanged with other nodes');
  }
}

/** Splits presences into at least one part. Large topics are split over several parts. */
function partsOf(rooms: readonly TopicPresences[]): TopicPresences[][] {
  const parts: TopicPresences[][] = [];
  let part: TopicPresences[] = [];
  let size = 0;
  for (const { topic, presences } of rooms) {
    for (let from = 0; from < presences.length; from += PART_PRESENCES) {
      const slice = presences.slice(from, from + PART_PRESENCES);
      part.push({ topic, presences: slice });
      size += slice.length;
      if (size < PART_PRESENCES) continue;
      parts.push(part);
      part = [];
      size = 0;
    }
  }
  return part.length > 0 || parts.length === 0 ? [...parts, part] : parts;
}

function ignore(): void {}
