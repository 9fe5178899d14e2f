/**
 * The bus of several nodes. Members on this node are told at once; other nodes read it in a log that all of them append
 * to. In charge of when something is appended, and of who is told whose presences; what is heard of other nodes is
 * {@link ./peers.ts}'s.
 */
import type { Logger } from '@greenroom/log';
import type { Bus, BusMessage } from '../hub/bus.ts';
import { DEFAULT_NODE_TIMINGS, type NodeLog, type NodeTimings } from './log.ts';
import { Outbox } from './outbox.ts';
import { Peers } from './peers.ts';
import { PresenceBook } from './presence-book.ts';
import type { NodeMessage, PresenceRoom } from './wire.ts';

/** A part of a snapshot has about so many presences. */
const PART_PRESENCES = 1000;
const GOODBYE_MS = 2000;
/** Trouble is told of so often. */
const TELL_TROUBLE_EVERY_MS = 10_000;

/** Options of {@link openNodeBus}. */
interface NodeBusOptions {
  /** This node's name, which no other has, and had. */
  node: string;
  /** Closed with the bus. */
  log: NodeLog;
  logger: Pick<Logger, 'info' | 'warn'>;
  timings?: Partial<NodeTimings>;
}

/** What is counted. */
export interface NodeCounts {
  /** Live nodes, this one included. */
  nodes: number;
  /** Messages of this node that the log has kept. */
  appended: number;
  /** Messages of other nodes. */
  received: number;
  /** Broadcasts and changes of presence that the log has not kept in time. */
  dropped: number;
  /** Entries of other nodes that were lost. */
  missed: number;
}

/** A bus between nodes. */
export interface NodeBus extends Bus {
  counts(): NodeCounts;
  /** Throws where nothing can be told to other nodes, or heard of them. */
  requireReady(): void;
  /** Appends what waits, says goodbye and closes the log. */
  close(): Promise<void>;
}

/** Opens a bus. Resolves once all other nodes have told who is present there, or have taken too long. */
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
  /** Presences on this node. */
  readonly #own = new PresenceBook();
  readonly #outbox: Outbox;
  readonly #peers: Peers;
  #asking = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #hasGreeted = false;
  #onChange: () => void = ignore;
  #toldTroubleAt = Number.NEGATIVE_INFINITY;

  constructor({ node, log, logger, timings }: NodeBusOptions) {
    this.#node = node;
    this.#log = log;
    this.#logger = logger;
    this.#timings = { ...DEFAULT_NODE_TIMINGS, ...timings };
    this.#outbox = new Outbox({
      log,
      timings: this.#timings,
      onTrouble: (error) => this.#tellTrouble(error),
    });
    this.#peers = new Peers({
      node,
      timings: this.#timings,
      now: () => performance.now(),
      deliver: (message) => this.#deliver(message),
      ask: (of) => this.#push({ kind: 'ask', of }),
      answer: (to) => this.#answer(to),
      onChange: () => this.#onChange(),
      onMalformed: (of, error) =>
        logger.warn({ node: of, err: error }, 'an entry of another node is malformed'),
    });
  }

  async open(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const resolveWhenKnown = () => {
      if (this.#hasGreeted && this.#peers.areKnown) resolve();
    };
    this.#onChange = resolveWhenKnown;
    const late = setTimeout(resolve, this.#timings.helloMs);
    this.#greet().catch((error: unknown) => this.#tellTrouble(error));
    this.#timer = setInterval(() => this.#beat(), this.#timings.beatMs).unref();
    await promise;
    clearTimeout(late);
    this.#onChange = ignore;
  }

  publish(message: BusMessage): void | Promise<void> {
    this.#deliver(message);
    if (message.kind === 'presence') this.#own.apply(message);
    if (!this.#peers.mayListen) return;
    const kept = this.#outbox.push(message);
    return message.kind === 'broadcast' ? kept : undefined;
  }

  /** Whoever begins to listen is told who is present on other nodes. */
  subscribe(listener: (message: BusMessage) => void): () => void {
    this.#listeners.add(listener);
    for (const { topic, presences } of this.#peers.rooms()) {
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
    if (!this.#peers.isHearing) throw new Error('the log of the nodes does not answer');
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    if (this.#hasGreeted) this.#push({ kind: 'bye' });
    await this.#outbox.close(GOODBYE_MS);
    await this.#log.close();
  }

  /** Presences come with it: where the log could not be read at first, there may be some already. */
  async #greet(): Promise<void> {
    await this.#log.read({
      onEntry: (node, entry) => this.#peers.take(node, entry),
      onOwn: () => this.#peers.takeOwn(),
    });
    const others = await this.#log.nodes().catch((error: unknown) => {
      this.#tellTrouble(error);
      return [];
    });
    this.#peers.expect(others);
    this.#hasGreeted = true;
    this.#push({ kind: 'hello' });
    this.#tellPresences([]);
    this.#onChange();
  }

  #beat(): void {
    this.#peers.check();
    // One that waits already says as much; the one before the greeting would come from nowhere.
    if (this.#hasGreeted && this.#outbox.isIdle) this.#push({ kind: 'beat', presences: this.#own.size });
  }

  /** Several may ask at once, of a node that answers all of them together. */
  #answer(to: string): void {
    if (this.#asking.size === 0) {
      setImmediate(() => {
        const asking = [...this.#asking];
        this.#asking.clear();
        this.#tellPresences(asking);
      });
    }
    this.#asking.add(to);
  }

  /** @param to nodes; none: all of them */
  #tellPresences(to: string[]): void {
    const parts = partsOf(this.#own.rooms());
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

  #tellTrouble(error: unknown): void {
    const now = performance.now();
    if (now - this.#toldTroubleAt < TELL_TROUBLE_EVERY_MS) return;
    this.#toldTroubleAt = now;
    const reason = error instanceof Error ? error.message : String(error);
    this.#logger.warn({ node: this.#node, reason }, 'other nodes cannot be told anything');
  }
}

/** At least one part; a crowded topic is in several. */
function partsOf(rooms: readonly PresenceRoom[]): PresenceRoom[][] {
  const parts: PresenceRoom[][] = [];
  let part: PresenceRoom[] = [];
  let size = 0;
  for (const { topic, presences } of rooms) {
    for (let from = 0; from < presences.length; from += PART_PRESENCES) {
      const some = presences.slice(from, from + PART_PRESENCES);
      part.push({ topic, presences: some });
      size += some.length;
      if (size < PART_PRESENCES) continue;
      parts.push(part);
      part = [];
      size = 0;
    }
  }
  return part.length > 0 || parts.length === 0 ? [...parts, part] : parts;
}

function ignore(): void {}
